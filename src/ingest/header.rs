//! What the columns of a table stand for: columns of runs, or factors that are spread over them.

use std::collections::BTreeMap;

use crate::error::{InputError, one_of};
use crate::model::schema::{self, Kind, Role};
use crate::model::{Level, Warning, vocabulary};

/// The metric that a wide table holds where its headers name none.
const WIDE_METRIC: &str = "rps";

/// What a column stands for.
pub(super) struct Heading {
    /// As written.
    pub text: String,
    pub meaning: Meaning,
    /// What its values are to be multiplied by.
    pub scale: f64,
    /// Whether its meaning was explained, so that its values are no answers to a question.
    pub explained: bool,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The values of a column.
    Column(String),
    /// A metric of runs that have these levels.
    Spread(Vec<(String, Level)>, String),
    /// Nothing that belongs to a run.
    LeftOut,
}

/// The headers that the user explains, and the columns that they stand for, or the levels (`accelerator=qat`); an empty one leaves the
/// column out.
pub type Renamed<'a> = &'a [(String, String)];

/// Explained headers that stand in none of the headers there are.
pub(super) fn unused<'a>(renamed: Renamed, headers: impl Iterator<Item = &'a str>, source: &str) -> Vec<Warning> {
    let headers: Vec<&str> = headers.collect();
    let unused = renamed.iter().filter(|(written, _)| !headers.iter().any(|header| header.contains(written)));
    unused.map(|(header, _)| Warning::NoSuchHeader { header: header.clone(), source: source.to_owned() }).collect()
}

/// Refuses columns that are measured without being known: what a metric is must not be guessed, and a factor it is not.
pub(super) fn refuse_unclear<'a>(renamed: Renamed, mut names: impl Iterator<Item = &'a str>) -> Result<(), InputError> {
    let is_unclear = |name: &&str| {
        vocabulary::is_measured(name)
            && explained(renamed, name).is_none()
            && schema::column(&column_of(renamed, name)).is_none()
    };
    names.find(is_unclear).map_or(Ok(()), |name| Err(unknown_metric(name, name)))
}

/// Whether a column says nothing of a run, by its name alone.
pub(super) fn says_nothing(renamed: Renamed, name: &str) -> bool {
    vocabulary::is_computed(name) && schema::column(name).is_none() && explained(renamed, name).is_none()
}

/// The warnings of columns that say nothing of a run.
pub(super) fn left_out<'a>(renamed: Renamed, names: impl Iterator<Item = &'a str>, source: &str) -> Vec<Warning> {
    let warning = |name: &str| Warning::LeftOut { column: name.to_owned(), source: source.to_owned() };
    names.filter(|name| says_nothing(renamed, name)).map(warning).collect()
}

/// What the user says of a header.
fn explained<'a>(renamed: Renamed<'a>, header: &str) -> Option<&'a str> {
    let header = header.trim();
    renamed.iter().find(|(written, _)| written == header).map(|(_, column)| column.as_str())
}

/// The column that a header stands for: as the user says, or by the words that are known.
pub(super) fn column_of(renamed: Renamed, header: &str) -> String {
    vocabulary::column(explained(renamed, header).unwrap_or(header))
}

/// What the values under a header are to be multiplied by.
fn scale_of(renamed: Renamed, header: &str) -> f64 {
    match explained(renamed, header) {
        None => vocabulary::quantity(header).map_or(1.0, |(_, scale)| scale),
        Some(column) => {
            let (column, unit) = (vocabulary::column(column), vocabulary::unit(header));
            unit.and_then(|(_, unit)| vocabulary::scale(&column, unit)).unwrap_or(1.0)
        }
    }
}

/// The headings of columns, each with a text or several that stand above each other, and what there is to know of them. `title` is
/// what stands above the table.
pub(super) fn headings(
    header: &[Vec<String>],
    title: &str,
    renamed: Renamed,
    source: &str,
) -> Result<(Vec<Heading>, Vec<Warning>), InputError> {
    let each = header.iter().enumerate().map(|(index, parts)| heading(parts, index, renamed));
    let mut headings: Vec<Heading> = each.collect::<Result<_, _>>()?;
    spread_over_columns(&mut headings, renamed)?;
    // Beside a column of the very name, another word for a factor is a factor of its own.
    let exact: Vec<String> = headings.iter().map(|heading| heading.text.to_lowercase()).collect();
    for heading in headings.iter_mut().filter(|heading| !heading.explained) {
        if let Meaning::Column(column) = &mut heading.meaning
            && schema::column(column).is_some_and(|known| known.role == Role::Factor)
            && exact.contains(column)
            && !heading.text.eq_ignore_ascii_case(column)
            && !vocabulary::asks(&heading.text)
        {
            heading.text.clone_into(column);
        }
    }
    let unknown = |heading: &&Heading| match &heading.meaning {
        Meaning::Column(column) => schema::column(column).is_none() && !heading.explained,
        Meaning::Spread(..) | Meaning::LeftOut => false,
    };
    refuse_unclear(renamed, headings.iter().filter(unknown).map(|heading| heading.text.as_str()))?;
    let mut warnings = unused(renamed, header.iter().flatten().map(String::as_str), source);
    let of_title = vocabulary::quantity(title).filter(|(column, _)| schema::role(column) == Role::Metric);
    if name_the_metric(&mut headings, of_title) && of_title.is_none() {
        if vocabulary::speaks_of_time(title) || vocabulary::unit(title).is_some() {
            return Err(InputError::new(
                format!("the table names no metric, and {title:?} stands above it"),
                "name the metric in the header of each column, such as latency_mean_ms above workers=4",
            ));
        }
        warnings.push(Warning::AssumedMetric { metric: WIDE_METRIC.to_owned() });
    }
    check_twice(&headings)?;
    check_spread(&headings)?;
    let left_out = headings.iter().filter(|heading| heading.meaning == Meaning::LeftOut && !heading.explained);
    let warning = |one: &Heading| Warning::LeftOut { column: one.text.clone(), source: source.to_owned() };
    warnings.extend(left_out.map(warning));
    Ok((headings, warnings))
}

/// Gives spread columns without a metric that of the title, or the usual one; whether there are any.
fn name_the_metric(headings: &mut [Heading], of_title: Option<vocabulary::Worth>) -> bool {
    let (named, worth) = of_title.unwrap_or((WIDE_METRIC, 1.0));
    let mut any = false;
    for heading in headings {
        if let Meaning::Spread(_, metric) = &mut heading.meaning
            && metric.is_empty()
        {
            named.clone_into(metric);
            heading.scale = worth;
            any = true;
        }
    }
    any
}

/// Refuses two columns that mean the same.
fn check_twice(headings: &[Heading]) -> Result<(), InputError> {
    let mut seen: Vec<&Heading> = Vec::new();
    for heading in headings.iter().filter(|heading| heading.meaning != Meaning::LeftOut) {
        let text = &heading.text;
        match seen.iter().find(|before| before.meaning == heading.meaning) {
            Some(before) if before.text == *text => {
                let problem = format!("{text:?} stands twice in the header");
                return Err(InputError::new(problem, "give every column its own name"));
            }
            Some(before) => {
                let problem = format!("{:?} and {text:?} stand for the same", before.text);
                let remedy = format!("leave one of them out: --map '{text}=' (Python: columns={{{text:?}: None}})");
                return Err(InputError::new(problem, remedy));
            }
            None => seen.push(heading),
        }
    }
    Ok(())
}

/// What the texts that stand above each other in a header mean together.
fn heading(parts: &[String], index: usize, renamed: Renamed) -> Result<Heading, InputError> {
    let mut own: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    own.dedup();
    let text = own.join(" / ");
    if text.is_empty() {
        return Err(InputError::new(
            format!("column {} has no name", index + 1),
            "name every column in the header (pandas: to_csv(index=False))",
        ));
    }
    if text.chars().any(char::is_control) {
        return Err(InputError::new(
            format!("the column name {text:?} spans lines or holds control characters"),
            "close the quote",
        ));
    }
    let by_user = [text.as_str()].into_iter().chain(own.iter().copied()).find_map(|part| explained(renamed, part));
    if explained(renamed, &text).is_some() {
        own = vec![&text];
    }
    let (meaning, scale) = match by_user {
        Some("") => (Meaning::LeftOut, 1.0),
        _ => {
            let said = said(&own, &text, renamed)?;
            if said.settings.is_empty() {
                plain(&own, by_user.is_some(), renamed)
            } else {
                spread(said, &text, renamed)?
            }
        }
    };
    Ok(Heading { text, meaning, scale, explained: by_user.is_some() })
}

/// What the texts of a header say.
#[derive(Default)]
struct Said<'a> {
    /// Factors and levels.
    settings: Vec<(String, Level)>,
    /// The metric that a unit behind a level tells.
    of_unit: Option<vocabulary::Worth>,
    /// The rest.
    names: Vec<&'a str>,
}

fn said<'a>(own: &[&'a str], text: &str, renamed: Renamed) -> Result<Said<'a>, InputError> {
    let column_of = |part: &str| column_of(renamed, part);
    let known = |part: &str| schema::column(&column_of(part));
    let says_level = |part: &str| part.contains(['=', '＝']) || vocabulary::setting(part, &column_of).is_some();
    // Any text could be a level of a factor that takes any text.
    let pairs = |part: &str| {
        known(part).is_some_and(|known| known.role == Role::Factor && !matches!(known.kind, Kind::Text | Kind::Label))
    };
    let mut said = Said::default();
    let mut rest = own.iter().peekable();
    while let Some(part) = rest.next() {
        if let Some(column) = explained(renamed, part) {
            let Some((name, level)) = column.split_once('=') else {
                said.names.push(part);
                continue;
            };
            if let Some((_, unit)) = vocabulary::unit(part) {
                let of = vocabulary::metric_of_unit(unit).ok_or_else(|| unknown_metric(text, part))?;
                said.of_unit = said.of_unit.or(Some(of));
            }
            said.settings.push(setting(part, name, level, &column_of)?);
        } else if let Some((name, level)) = part.split_once(['=', '＝']) {
            said.settings.push(setting(part, name, level, &column_of)?);
        } else if own.len() > 1
            && let Some((column, level, of)) = vocabulary::setting(part, &column_of)
        {
            said.of_unit = said.of_unit.or(of);
            said.settings.push(setting(part, &column, &level, &column_of)?);
        } else if pairs(part)
            && let Some(level) = rest.next_if(|next| !says_level(next) && known(next).is_none())
        {
            said.settings.push(setting(text, part, level, &column_of)?);
        } else {
            said.names.push(part);
        }
    }
    Ok(said)
}

/// A column, and what its values are to be multiplied by.
fn plain(own: &[&str], explained: bool, renamed: Renamed) -> (Meaning, f64) {
    let name = named(own, &|part| column_of(renamed, part));
    let column = column_of(renamed, &name);
    if schema::column(&column).is_some() {
        let scales = own.iter().copied().chain([name.as_str()]).map(|part| scale_of(renamed, part));
        return (Meaning::Column(column), scales.into_iter().find(|scale| *scale != 1.0).unwrap_or(1.0));
    }
    let computed = !explained && own.iter().any(|part| vocabulary::is_computed(part));
    (if computed { Meaning::LeftOut } else { Meaning::Column(column) }, 1.0)
}

/// Levels, and the metric of the values below them, if it is named, with what they are to be multiplied by.
fn spread(said: Said, text: &str, renamed: Renamed) -> Result<(Meaning, f64), InputError> {
    let Said { mut settings, of_unit, names } = said;
    let (mut metric, mut scale) = of_unit.unwrap_or(("", 1.0));
    // "模式" above "同步" says which factor it is.
    let is_caption = |name: &str| settings.iter().any(|(factor, _)| *factor == column_of(renamed, name));
    for name in names.into_iter().filter(|name| !is_caption(name)) {
        match schema::column(&column_of(renamed, name)) {
            Some(known) if known.role == Role::Metric && metric.is_empty() => {
                (metric, scale) = (known.name, scale_of(renamed, name));
            }
            _ if vocabulary::is_computed(name) => return Ok((Meaning::LeftOut, 1.0)),
            _ => return Err(unknown_metric(text, name)),
        }
    }
    settings.sort();
    Ok((Meaning::Spread(settings, metric.to_owned()), scale))
}

fn unknown_metric(text: &str, name: &str) -> InputError {
    InputError::new(
        format!("it is not known what is measured in {name:?}"),
        format!(
            "say which metric it is, such as --map '{name}=rps' or '{name}=latency_mean_ms', or which level, such as \
             '{name}=accelerator=qat'; --map '{name}={name}' keeps it as a factor, and --map '{text}=' leaves it out \
             (Python: columns={{{name:?}: \"rps\"}})"
        ),
    )
}

/// The name of a column in one part, or in several above each other, such as "latency (ms)" above "P99".
fn named(parts: &[&str], column_of: &dyn Fn(&str) -> String) -> String {
    let reversed: Vec<&str> = parts.iter().rev().copied().collect();
    let names = [parts.join(" "), reversed.join(" "), reversed[0].to_owned()];
    let known = names.iter().find(|name| schema::column(&column_of(name)).is_some());
    known.unwrap_or(&names[0]).clone()
}

/// A factor and one of its levels, as a header says it.
fn setting(
    text: &str,
    name: &str,
    level: &str,
    column_of: &dyn Fn(&str) -> String,
) -> Result<(String, Level), InputError> {
    let (name, level) = (name.trim(), level.trim());
    let column = column_of(name);
    let odd = |text: &str| text.contains(['(', ')', '（', '）', '[', ']', '@']);
    let measured = schema::column(&column).is_none() && vocabulary::is_measured(name);
    if column.is_empty()
        || level.is_empty()
        || schema::role(&column) == Role::Metric
        || odd(&column)
        || odd(level)
        || measured
    {
        let factors = schema::COLUMNS.iter().filter(|column| column.role == Role::Factor).map(|column| column.name);
        return Err(InputError::new(
            format!("{text:?} is not a factor and a level"),
            format!("write a factor and one of its levels, such as workers=4; factors are {}", one_of(factors)),
        ));
    }
    let level = vocabulary::value(name, &column, level).and_then(|level| schema::kind(&column).parse(level));
    Ok((column, level.map_err(|error| error.in_column(text))?))
}

/// Headers such as `4 workers` or `async` are levels if several of one factor stand side by side and nothing else is measured.
fn spread_over_columns(headings: &mut [Heading], renamed: Renamed) -> Result<(), InputError> {
    let column_of = |part: &str| column_of(renamed, part);
    let mut found: BTreeMap<String, Vec<(usize, Meaning, f64)>> = BTreeMap::new();
    for (index, heading) in headings.iter().enumerate() {
        if let Meaning::Column(_) = heading.meaning
            && !heading.explained
            && let Some((factor, level, of_unit)) = vocabulary::setting(&heading.text, &column_of)
            && let Ok(level) = schema::kind(&factor).parse(&level)
        {
            let (metric, scale) = of_unit.unwrap_or(("", 1.0));
            let meaning = Meaning::Spread(vec![(factor.clone(), level)], metric.to_owned());
            found.entry(factor).or_default().push((index, meaning, scale));
        }
    }
    let is_spread = |factor: &String| {
        let of = |heading: &Heading| match &heading.meaning {
            Meaning::Spread(settings, _) => settings.iter().any(|(known, _)| known == factor),
            Meaning::Column(_) | Meaning::LeftOut => false,
        };
        headings.iter().any(of)
    };
    found.retain(|factor, levels| levels.len() > 1 || is_spread(factor));
    let of_levels: Vec<usize> = found.values().flatten().map(|(index, ..)| *index).collect();
    let column = |(index, heading): (usize, &Heading)| match &heading.meaning {
        Meaning::Column(column) if !of_levels.contains(&index) => Some(column.clone()),
        _ => None,
    };
    let others: Vec<String> = headings.iter().enumerate().filter_map(column).collect();
    found.retain(|factor, _| !others.contains(factor));
    if let Some(metric) = others.iter().find(|column| schema::role(column) == Role::Metric) {
        return match found.keys().next() {
            None => Ok(()),
            Some(factor) => Err(InputError::new(
                format!("the table spreads {factor} over columns and has {metric} as well"),
                "give one run per row, or only the spread columns",
            )),
        };
    }
    for (index, meaning, scale) in found.into_values().flatten() {
        (headings[index].meaning, headings[index].scale) = (meaning, scale);
    }
    Ok(())
}

/// Refuses what is spread in a way that says nothing.
fn check_spread(headings: &[Heading]) -> Result<(), InputError> {
    let mut spread: Vec<Vec<&str>> = Vec::new();
    for heading in headings {
        let Meaning::Spread(settings, _) = &heading.meaning else { continue };
        let factors: Vec<&str> = settings.iter().map(|(factor, _)| factor.as_str()).collect();
        if factors.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(InputError::new(
                format!("{:?} gives two levels of {}", heading.text, factors[0]),
                "give every column one level of a factor",
            ));
        }
        if !spread.contains(&factors) {
            spread.push(factors);
        }
    }
    let column = |heading: &Heading| match &heading.meaning {
        Meaning::Column(column) => Some(column.clone()),
        Meaning::Spread(..) | Meaning::LeftOut => None,
    };
    let is_spread = |column: String| spread.iter().flatten().any(|factor| *factor == column);
    if let Some(clash) = headings.iter().find(|heading| column(heading).is_some_and(is_spread)) {
        return Err(InputError::new(
            format!("{:?} is a column of its own and spread over others", clash.text),
            "keep one of the two",
        ));
    }
    if spread.len() > 1 {
        let factors: Vec<&str> = spread.into_iter().flatten().collect();
        return Err(InputError::new(
            format!("the factors {} are spread over columns", factors.join(" and ")),
            "spread the same factors over all of them",
        ));
    }
    let is_metric = |column: String| schema::role(&column) == Role::Metric;
    if !spread.is_empty() && headings.iter().any(|heading| column(heading).is_some_and(is_metric)) {
        return Err(InputError::new(
            "the table spreads a factor over columns and has a metric as well",
            "give one run per row, or only the spread columns",
        ));
    }
    Ok(())
}
