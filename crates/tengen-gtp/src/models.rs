//! Networks as clients are told of them.

use serde_json::{Value, json};
use tengen_search::Model;

/// The networks of a judge with this name, as KataGo lists its own.
pub(crate) fn models_as_json(judge: &str, models: &[Model]) -> Value {
    let entries = models.iter().map(|model| {
        json!({
            "name": judge,
            "internalName": model.name,
            "maxBatchSize": model.batch,
            "usesHumanSLProfile": model.imitates,
            "version": model.version,
            // KataGo's word for numbers of full length.
            "usingFP16": "false",
        })
    });
    Value::Array(entries.collect())
}
