//! The report: every study with its conclusions, conditions, tables and figures, as Markdown, HTML and JSON from one set
//! of results.

use std::collections::BTreeSet;

use serde::Serialize;

use super::json;
use super::table::{Table, TableView};
use super::tables::Tabular;
use super::template;
use crate::analysis::claims::{self, Audit, Auditing};
use crate::analysis::study::{self, Study};
use crate::analysis::{Basis, Estimate, Scope};
use crate::error::Result;
use crate::figure::{Figure, bars, forest};
use crate::language::{Lang, count, percent, text};
use crate::model::claim::Claim;
use crate::model::{Runs, Source};
use crate::wording;

/// What a report is made of.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Options {
    /// Language.
    pub lang: Lang,
    /// Claims to judge, beside those of the documented studies.
    pub claims: Option<Vec<Claim>>,
    /// Which runs, in which metric, and how sure.
    #[serde(flatten)]
    pub scope: Scope,
}

impl Options {
    /// The options as they are written on the command line, but for the language.
    fn shown(&self) -> Vec<String> {
        let Scope { metric, conditions, ignore, controls, precision } = &self.scope;
        let mut shown: Vec<String> =
            conditions.iter().map(|(factor, level)| format!("--where {factor}={level}")).collect();
        shown.extend(metric.iter().map(|metric| format!("--metric {metric}")));
        shown.extend(ignore.iter().map(|factor| format!("--ignore {factor}")));
        shown.extend(controls.iter().map(|control| format!("--control {control}")));
        shown.push(format!("--method {}", precision.method));
        shown.extend(precision.center.map(|center| format!("--center {center}")));
        if precision.method.is_bootstrap() {
            shown.extend([format!("--resamples {}", precision.resamples), format!("--seed {}", precision.seed)]);
        }
        shown.extend(precision.assume_cv.map(|cv| format!("--assume-cv {}", percent(cv))));
        shown.push(format!("--confidence {}", percent(precision.confidence)));
        shown
    }
}

/// A report, ready to be written.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    program: Program,
    inputs: Vec<Source>,
    options: Options,
    /// The names of the files that the report consists of, relative to its folder.
    files: Vec<String>,
    studies: Vec<Chapter>,
    /// The claims that were asked about, over all studies.
    audit: Option<Audit>,
    #[serde(skip)]
    claims: Option<Section>,
}

#[derive(Debug, Clone, Serialize)]
struct Program {
    name: &'static str,
    version: &'static str,
}

/// A study, and what is said and drawn of it.
#[derive(Debug, Clone, Serialize)]
struct Chapter {
    title: String,
    /// Its name in file names.
    slug: String,
    sentences: Vec<String>,
    #[serde(flatten)]
    study: Study,
    #[serde(skip)]
    sections: Vec<Section>,
}

/// A table and its figure.
#[derive(Debug, Clone)]
struct Section {
    /// Stem of the names of its files.
    stem: String,
    table: Table,
    figure: Option<Figure>,
}

impl Section {
    fn files(&self) -> Vec<String> {
        let stem = &self.stem;
        let figures = self.figure.iter().flat_map(|_| [format!("figures/{stem}.svg"), format!("figures/{stem}.png")]);
        std::iter::once(format!("tables/{stem}.csv")).chain(figures).collect()
    }
}

/// The documents themselves, in the order in which they are rendered.
const REPORT_FILES: [&str; 3] = ["report.md", "report.html", "report.json"];

impl Report {
    /// Analyses runs and draws the figures.
    ///
    /// # Errors
    /// As [`crate::analysis::study::analyse`].
    pub fn of(runs: &Runs, options: &Options) -> Result<Self> {
        let lang = options.lang;
        let mut slugs = BTreeSet::new();
        let studies = study::analyse(runs, &options.scope)?;
        let chapters: Vec<Chapter> = studies.into_iter().map(|study| chapter(study, lang, &mut slugs)).collect();
        let program = Program { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") };
        let audit = match &options.claims {
            Some(claims) => {
                let auditing =
                    Auditing { claims: Some(claims.clone()), scope: options.scope.clone(), ..Auditing::default() };
                Some(claims::audit(runs, &auditing)?)
            }
            None => None,
        };
        let claims = audit.as_ref().map(|audit| Section {
            stem: unique_slug("claims", &mut slugs),
            table: audit.table(lang),
            figure: None,
        });
        let sections = chapters.iter().flat_map(|chapter: &Chapter| &chapter.sections).chain(&claims);
        let files = REPORT_FILES.into_iter().map(ToOwned::to_owned).chain(sections.flat_map(Section::files)).collect();
        let inputs = runs.sources().to_vec();
        Ok(Self { program, inputs, options: options.clone(), files, studies: chapters, audit, claims })
    }

    /// What the comparisons come to, in words.
    pub fn conclusions(&self) -> impl Iterator<Item = &str> {
        self.studies.iter().flat_map(|chapter| &chapter.sentences).map(String::as_str)
    }

    /// The whole report as JSON.
    ///
    /// # Errors
    /// Never for a report that this crate made.
    pub fn to_json(&self) -> Result<String> {
        json::to_json("report", self)
    }

    /// The report as Markdown; it refers to the files in `figures/`.
    ///
    /// # Errors
    /// Never for a report that this crate made.
    pub fn to_markdown(&self) -> Result<String> {
        self.render("report.md", include_str!("templates/report.md"))
    }

    /// The report as one HTML page that needs nothing else.
    ///
    /// # Errors
    /// Never for a report that this crate made.
    pub fn to_html(&self) -> Result<String> {
        self.render("report.html", include_str!("templates/report.html"))
    }

    /// The files of a report folder, by relative name.
    ///
    /// # Errors
    /// Never for a report that this crate made.
    pub(super) fn files(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let mut contents =
            vec![self.to_markdown()?.into_bytes(), self.to_html()?.into_bytes(), self.to_json()?.into_bytes()];
        for section in self.studies.iter().flat_map(|chapter| &chapter.sections).chain(&self.claims) {
            contents.push(section.table.to_csv()?.into_bytes());
            if let Some(figure) = &section.figure {
                contents.push(figure.svg().as_bytes().to_vec());
                contents.push(figure.png(crate::figure::PNG_WIDTH)?);
            }
        }
        Ok(self.files.iter().cloned().zip(contents).collect())
    }

    fn render(&self, name: &str, source: &str) -> Result<String> {
        template::render(self.options.lang, name, source, self.view())
    }

    /// What the templates see: texts in the language of the report.
    fn view(&self) -> View {
        let lang = self.options.lang;
        View {
            lang,
            program: format!("{} {}", self.program.name, self.program.version),
            inputs: self.inputs.clone(),
            options: self.options.shown(),
            studies: self.studies.iter().map(|chapter| chapter_view(chapter, lang)).collect(),
            claims: self.claims.as_ref().map(|section| section_view(section, lang)),
            methods: self.methods(),
        }
    }
}

fn chapter(study: Study, lang: Lang, slugs: &mut BTreeSet<String>) -> Chapter {
    let slug = unique_slug(study.name.as_deref().unwrap_or("runs"), slugs);
    let summary = Section {
        stem: unique_slug(&format!("{slug}-measured"), slugs),
        table: study.summary.table(lang),
        figure: Some(bars::bars(&study.summary, lang)),
    };
    let mut sections = vec![summary];
    for comparison in &study.comparisons {
        sections.push(Section {
            stem: unique_slug(&format!("{slug}-{}", comparison.factor), slugs),
            table: comparison.table(lang),
            figure: Some(forest::forest(comparison, lang)),
        });
    }
    if let Some(audit) = &study.audit {
        sections.push(Section {
            stem: unique_slug(&format!("{slug}-claims"), slugs),
            table: audit.table(lang),
            figure: None,
        });
    }
    let title = match (&study.dataset, &study.name) {
        (Some(dataset), _) => dataset.title.get(lang).to_owned(),
        (None, Some(name)) => name.clone(),
        (None, None) => text(lang, "report-unnamed", &[]),
    };
    let sentences = study.conclusions.iter().map(|conclusion| wording::conclusion(lang, conclusion)).collect();
    Chapter { title, slug, sentences, study, sections }
}

/// Letters and digits of a name, whatever else it holds, so that it cannot lead out of the folder.
fn unique_slug(name: &str, taken: &mut BTreeSet<String>) -> String {
    let slug: String = name.chars().take(60).map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let slug = if slug.is_empty() { "runs".to_owned() } else { slug };
    // File systems that ignore case must not let one study overwrite another.
    let free = |candidate: &String, taken: &BTreeSet<String>| !taken.contains(&candidate.to_lowercase());
    let unique = std::iter::once(slug.clone())
        .chain((2..).map(|number| format!("{slug}-{number}")))
        .find(|candidate| free(candidate, taken))
        .unwrap_or(slug);
    taken.insert(unique.to_lowercase());
    unique
}

#[derive(Serialize)]
struct View {
    lang: Lang,
    program: String,
    inputs: Vec<Source>,
    options: Vec<String>,
    studies: Vec<ChapterView>,
    claims: Option<SectionView>,
    /// Keys of the method notes that apply.
    methods: Vec<&'static str>,
}

#[derive(Serialize)]
struct ChapterView {
    title: String,
    slug: String,
    runs: String,
    sentences: Vec<String>,
    caveats: Vec<String>,
    conditions: String,
    about: Vec<[String; 2]>,
    remarks: Vec<String>,
    sections: Vec<SectionView>,
}

#[derive(Serialize)]
struct SectionView {
    stem: String,
    title: String,
    table: TableView,
    markdown: String,
    figure: Option<FigureView>,
}

#[derive(Serialize)]
struct FigureView {
    svg: String,
    alt: String,
}

fn chapter_view(chapter: &Chapter, lang: Lang) -> ChapterView {
    let label = |key: &str| text(lang, key, &[]);
    let study = &chapter.study;
    let dataset = study.dataset.as_ref();
    let about = dataset.map_or_else(Vec::new, |dataset| {
        vec![
            [label("table-measured"), dataset.measured.get(lang).to_owned()],
            [label("dataset-client"), dataset.client.get(lang).to_owned()],
            [label("dataset-server"), dataset.server.get(lang).to_owned()],
            [label("dataset-source"), dataset.source.clone()],
        ]
    });
    let sections: Vec<SectionView> = chapter.sections.iter().map(|section| section_view(section, lang)).collect();
    ChapterView {
        title: chapter.title.clone(),
        slug: chapter.slug.clone(),
        runs: count(study.runs as u64),
        sentences: chapter.sentences.clone(),
        caveats: chapter.caveats(lang),
        conditions: wording::conditions(lang, &study.summary).join(&label("comma")),
        about,
        remarks: dataset
            .map_or_else(Vec::new, |dataset| dataset.notes.iter().map(|note| note.get(lang).to_owned()).collect()),
        sections,
    }
}

impl Report {
    /// Which method notes the estimates in this report need.
    fn methods(&self) -> Vec<&'static str> {
        let studies = || self.studies.iter().map(|chapter| &chapter.study);
        let means = studies().flat_map(|study| &study.summary.cells).map(|cell| &cell.mean);
        let ratios = studies().flat_map(|study| &study.comparisons).flat_map(|comparison| &comparison.strata);
        let estimates: Vec<&Estimate> = means.chain(ratios.map(|stratum| &stratum.ratio)).collect();
        let rests_on = |basis: Basis| estimates.iter().any(|estimate| estimate.basis == basis);
        let notes = [
            ("method-ratio", true),
            ("method-replicates", rests_on(Basis::Replicates)),
            ("method-blocks", rests_on(Basis::Blocks)),
            ("method-pooled", rests_on(Basis::Pooled)),
            ("method-assumed", rests_on(Basis::Assumed)),
            ("method-none", estimates.iter().any(|estimate| estimate.is_single())),
        ];
        notes.into_iter().filter(|(_, needed)| *needed).map(|(key, _)| key).collect()
    }
}

impl Chapter {
    /// What the sentences are to be read with: the warnings of whole comparisons, once each.
    fn caveats(&self, lang: Lang) -> Vec<String> {
        let comparisons = self.study.comparisons.iter().flat_map(|comparison| &comparison.warnings);
        let mut caveats: Vec<String> = Vec::new();
        let quality = self.study.quality.findings();
        for warning in comparisons.chain(&self.study.warnings).chain(quality) {
            let message = warning.message(lang);
            if !caveats.contains(&message) {
                caveats.push(message);
            }
        }
        caveats
    }
}

fn section_view(section: &Section, lang: Lang) -> SectionView {
    SectionView {
        stem: section.stem.clone(),
        title: section.table.title.clone(),
        markdown: section.table.to_markdown(lang),
        table: section.table.view(),
        figure: section
            .figure
            .as_ref()
            .map(|figure| FigureView { svg: figure.svg().to_owned(), alt: figure.description().to_owned() }),
    }
}
