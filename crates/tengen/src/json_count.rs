//! Large numbers in JSON.

use serde::{Serialize, Serializer};

/// A count as JSON: a number up to 2⁵³, which every reader takes exactly, and a string of digits beyond.
pub(crate) struct JsonCount(pub(crate) u128);

impl Serialize for JsonCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(small) if small <= 1 << 53 => serializer.serialize_u64(small),
            _ => serializer.collect_str(&self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_numbers_are_numbers() {
        let json = |count| serde_json::to_string(&JsonCount(count)).unwrap();
        assert_eq!(json(1 << 53), "9007199254740992");
        assert_eq!(json((1 << 53) + 1), "\"9007199254740993\"");
        assert_eq!(json(1 << 70), "\"1180591620717411303424\"");
    }
}
