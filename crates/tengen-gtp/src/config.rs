//! Configuration files: TOML, and the notation of KataGo.

use std::fmt;

/// A name and its value, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub key: String,
    /// The value.
    pub value: String,
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The line, counted from 1, if the text has lines.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

impl std::error::Error for ConfigError {}

/// Reads KataGo's notation, lines of `key = value`. `#` begins a comment, and double quotes keep one from beginning.
pub fn read_katago(text: &str) -> Result<Vec<Entry>, ConfigError> {
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let wrong = |problem: &str| ConfigError {
            line: Some(index + 1),
            problem: problem.to_owned(),
        };
        // Windows editors begin a file with a mark.
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(rest) = line.strip_prefix('@') {
            let (directive, value) = rest.split_once([' ', '=']).unwrap_or((rest, ""));
            entries.push(Entry {
                key: format!("@{directive}"),
                value: value.trim().to_owned(),
            });
            continue;
        }
        let (key, value) = line
            .split_once('=')
            .ok_or_else(|| wrong("expected `key = value`"))?;
        let value = match value.trim().strip_prefix('"') {
            Some(quoted) => unquote(quoted).ok_or_else(|| wrong("a quote that does not end"))?,
            None => {
                let plain = value.split_once('#').map_or(value, |(value, _)| value);
                plain.trim().to_owned()
            }
        };
        entries.push(Entry {
            key: key.trim().to_owned(),
            value,
        });
    }
    Ok(entries)
}

/// The text up to the closing quote, backslashes taken away.
fn unquote(quoted: &str) -> Option<String> {
    let mut value = String::new();
    let mut characters = quoted.chars();
    loop {
        match characters.next()? {
            '"' => return Some(value),
            '\\' => value.push(characters.next()?),
            other => value.push(other),
        }
    }
}

/// Reads `key=value,key=value`.
pub fn read_overrides(text: &str) -> Result<Vec<Entry>, ConfigError> {
    text.split(',')
        .map(str::trim)
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (key, value) = pair.split_once('=').ok_or_else(|| ConfigError {
                line: None,
                problem: format!("expected `key=value`, not `{pair}`"),
            })?;
            Ok(Entry {
                key: key.trim().to_owned(),
                value: value.trim().to_owned(),
            })
        })
        .collect()
}

/// Reads TOML. Every value is a text, a number, true or false.
pub fn read_toml(text: &str) -> Result<Vec<Entry>, ConfigError> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // All of its text is many lines, with a picture of the place.
        let before = error.span().map(|span| &text[..span.start]);
        ConfigError {
            line: before.map(|before| 1 + before.matches('\n').count()),
            problem: error.message().to_owned(),
        }
    })?;
    let entry = |(key, value): (String, toml::Value)| {
        let value = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => {
                value.to_string()
            }
            toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => {
                return Err(ConfigError {
                    line: None,
                    problem: format!("`{key}`: a text, a number, true or false is needed"),
                });
            }
        };
        Ok(Entry { key, value })
    };
    table.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_wrong_and_where() {
        let error = read_katago("a = b\nnonsense\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2: expected `key = value`");
        assert!(read_katago("a = \"b").is_err());
        assert!(read_overrides("nonsense").is_err());
        let error = read_toml("visits = 10\nrules = aga\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
        let error = read_toml("size = [9, 9]").unwrap_err();
        assert!(error.to_string().starts_with("`size`: a text"), "{error}");
    }

    #[test]
    fn toml_values_become_text() {
        let text = "a = 1\nb = 2.5\nc = true\nd = \"one two\"\n";
        let entries = read_toml(text).unwrap();
        let values: Vec<&str> = entries.iter().map(|entry| entry.value.as_str()).collect();
        assert_eq!(values, ["1", "2.5", "true", "one two"]);
    }
}
