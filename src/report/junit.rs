//! A check as JUnit XML, which CI systems show by themselves.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::tables::Tabular;
use crate::analysis::check::{Cell, Check, Verdict};
use crate::error::{Error, Result};
use crate::language::{self, Lang, signed_percent};

impl Check {
    /// One test case per setting. A regression is a failure, an inconclusive setting an error unless these pass, and one that
    /// was not measured again a failure unless these pass; otherwise what only one set has is skipped.
    ///
    /// # Errors
    /// Never for a check of this crate.
    pub fn to_junit(&self, lang: Lang, inconclusive_passes: bool, gone_passes: bool) -> Result<String> {
        let mut suite = TestSuite::new(format!("kaeanalysis check: {}", self.metric));
        suite.add_test_cases(self.cells.iter().map(|cell| {
            let status = match cell.verdict {
                Verdict::Pass => TestCaseStatus::success(),
                Verdict::Regression => TestCaseStatus::non_success(NonSuccessKind::Failure),
                Verdict::Inconclusive if inconclusive_passes => TestCaseStatus::skipped(),
                Verdict::Inconclusive => TestCaseStatus::non_success(NonSuccessKind::Error),
                Verdict::Gone if !gone_passes => TestCaseStatus::non_success(NonSuccessKind::Failure),
                Verdict::New | Verdict::Gone => TestCaseStatus::skipped(),
            };
            self.test_case(cell, status)
        }));
        suite.set_system_out(self.table(lang).to_terminal(lang));
        let mut report = Report::new("kaeanalysis");
        report.add_test_suite(suite);
        report.to_string().map_err(|error| Error::input(error.to_string(), "report this"))
    }

    fn test_case(&self, cell: &Cell, mut status: TestCaseStatus) -> TestCase {
        let settings: Vec<String> = cell.settings.iter().map(|(factor, level)| format!("{factor}={level}")).collect();
        let name = if settings.is_empty() { self.metric.clone() } else { settings.join(", ") };
        let mut message = cell.verdict.to_string();
        if let Some(ratio) = &cell.ratio {
            let change = signed_percent(ratio.gain_percent());
            let interval =
                ratio.interval().map_or_else(String::new, |(low, high)| format!(" {}", language::interval(low, high)));
            message = format!("{message}: {change}, ratio {}{interval}", language::ratio(ratio.estimate));
        }
        if let Some(runs) = cell.more_runs {
            message = format!("{message}; {runs} more runs of each would decide it");
        }
        status.set_message(message);
        let mut case = TestCase::new(name, status);
        case.set_classname(self.metric.as_str());
        case
    }
}
