use tengen_gtp::analysis::AnalysisSettings;
use tengen_gtp::config::{Entry, read_katago, read_overrides, read_toml};
use tengen_gtp::gtp::GtpSettings;
use tengen_gtp::setting::Tabulated;
use tengen_train::Config;

/// Any text is read as a configuration, of a training run and of the protocols in each of their forms, or refused with
/// a reason that names a line of it.
pub fn toml(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Err(error) = Config::parse(&text) {
        assert!(!error.to_string().is_empty());
    }
    for read in [read_toml, read_katago, read_overrides] {
        match read(&text) {
            Ok(entries) => apply(&entries),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                let lines = 1 + text.matches('\n').count();
                assert!(
                    error.line.is_none_or(|line| (1..=lines).contains(&line)),
                    "{error}"
                );
            }
        }
    }
}

fn apply(entries: &[Entry]) {
    let mut settings = GtpSettings::default();
    for Entry { key, value } in entries {
        if let Err(error) = settings.set(key, value) {
            assert!(!error.to_string().is_empty());
        }
    }
    let mut settings = AnalysisSettings::default();
    for Entry { key, value } in entries {
        _ = settings.set(key, value);
    }
}
