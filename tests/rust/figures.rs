//! Figures: golden SVG, the same bytes every time, and PNG of the same picture.

use kaeanalysis::analysis::comparison::{Comparing, compare};
use kaeanalysis::analysis::{Scope, summary::summarise};
use kaeanalysis::figure::{Figure, bars::bars, forest::forest};
use kaeanalysis::ingest;
use kaeanalysis::language::Lang;
use kaeanalysis::model::Runs;

use super::{REPLICATED, runs};

fn bars_of(runs: &Runs, lang: Lang) -> Figure {
    bars(&summarise(runs, &Scope::default()).unwrap(), lang)
}

fn forest_of(runs: &Runs, lang: Lang) -> Figure {
    forest(&compare(runs, &Comparing::speedup()).unwrap(), lang)
}

#[test]
fn golden_svg() {
    let vkae = ingest::documented("vkae_vm").unwrap();
    insta::assert_snapshot!("bars_vkae_vm", bars_of(&vkae, Lang::En).svg());
    insta::assert_snapshot!("bars_vkae_vm_zh", bars_of(&vkae, Lang::Zh).svg());
    insta::assert_snapshot!("forest_vkae_vm", forest_of(&vkae, Lang::En).svg());
    insta::assert_snapshot!("bars_replicated", bars_of(&runs(REPLICATED), Lang::En).svg());
    insta::assert_snapshot!("forest_replicated", forest_of(&runs(REPLICATED), Lang::En).svg());
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let twice = || bars_of(&runs(REPLICATED), Lang::Zh);
    assert_eq!(twice(), twice());
    assert_eq!(twice().png(640).unwrap(), twice().png(640).unwrap());
}

#[test]
fn a_png_is_as_wide_as_asked_and_shows_the_text() {
    let figure = bars_of(&ingest::documented("docker").unwrap(), Lang::Zh);
    let png = figure.png(1040).unwrap();
    assert_eq!(u32::from_be_bytes(png[16..20].try_into().unwrap()), 1040);
    // Chinese labels are drawn, not left out: without its text the same figure is a much smaller file.
    let bare: String = figure.svg().lines().filter(|line| !line.starts_with("<text")).collect();
    let bare_png = {
        let tree = resvg::usvg::Tree::from_str(&bare, &resvg::usvg::Options::default()).unwrap();
        let mut pixels = resvg::tiny_skia::Pixmap::new(1040, (tree.size().height() * 2.0) as u32).unwrap();
        resvg::render(&tree, resvg::tiny_skia::Transform::from_scale(2.0, 2.0), &mut pixels.as_mut());
        pixels.encode_png().unwrap()
    };
    assert!(png.len() > 3 * bare_png.len(), "{} {}", png.len(), bare_png.len());
    assert!(figure.png(0).is_err() && figure.png(1_000_000).is_err());
}

#[test]
fn hostile_names_stay_text() {
    let figure = bars_of(&runs("tool,rps\n</text><script>alert(1)</script>,5\nb&c,6\n"), Lang::En);
    assert!(!figure.svg().contains("<script"));
    assert!(figure.png(400).is_ok());
}
