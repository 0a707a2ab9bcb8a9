//! Templates with the catalogue at hand. Names ending in `.html` escape what they are given.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use super::table::escape_markdown;
use crate::error::{Error, Result};
use crate::language::{Lang, text};
use crate::wording;

/// Renders a template.
///
/// # Errors
/// Never for the templates of this crate.
pub fn render(lang: Lang, name: &str, template: &str, view: impl Serialize) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    if let Ok(syntax) = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build() {
        environment.set_syntax(syntax);
    }
    environment.add_function("t", move |key: &str| text(lang, key, &[]));
    environment.add_filter("cap", |text: &str| wording::capitalised(text));
    environment.add_filter("md", |text: &str| escape_markdown(text));
    let rendered = environment
        .add_template("table.html", include_str!("templates/table.html"))
        .and_then(|()| environment.add_template(name, template))
        .and_then(|()| environment.get_template(name)?.render(Value::from(Serde(view))));
    match rendered {
        Ok(rendered) => Ok(rendered.trim_end().to_owned() + "\n"),
        Err(error) => {
            Err(Error::input(format!("the text could not be rendered: {error:#}"), "report this with the input"))
        }
    }
}
