//! What is wrong with a query.

use std::fmt;

use serde::Serialize;

/// What is wrong with a query, as it is answered: an error ends the query, a warning does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Complaint {
    /// What is wrong, and how bad it is.
    #[serde(flatten)]
    pub severity: Severity,
    /// The field of the query that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The query, if it said who it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// How bad it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The query is not answered.
    Error(String),
    /// The query is answered all the same.
    Warning(String),
}

impl Complaint {
    /// A line that is no query at all.
    pub fn general(problem: impl fmt::Display) -> Self {
        Self {
            severity: Severity::Error(problem.to_string()),
            field: None,
            id: None,
        }
    }

    /// A field that cannot be accepted.
    pub fn error(id: &str, field: &str, problem: impl fmt::Display) -> Self {
        Self {
            severity: Severity::Error(problem.to_string()),
            field: Some(field.to_owned()),
            id: Some(id.to_owned()),
        }
    }

    /// A field that is not understood or has no effect.
    pub fn warning(id: &str, field: &str, problem: impl fmt::Display) -> Self {
        Self {
            severity: Severity::Warning(problem.to_string()),
            ..Self::error(id, field, "")
        }
    }
}
