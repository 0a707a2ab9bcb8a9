//! The command line as a program of its own. `pip install` gives the same one through `kaeanalysis._core.run_cli`.

fn main() {
    std::process::exit(kaeanalysis::cli::run(std::env::args_os()));
}
