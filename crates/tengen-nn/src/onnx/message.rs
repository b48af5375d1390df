//! Protocol buffers, as far as an ONNX file needs them.
//!
//! A file is written and never read here, out of two kinds of fields, which is less code than declaring its messages to
//! a library.

/// A message, field by field.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

/// The kinds of fields.
const NUMBER: u64 = 0;
const BYTES: u64 = 2;

impl Message {
    /// Adds a number.
    #[must_use]
    pub(super) fn number(mut self, field: u64, number: u64) -> Self {
        self.varint(field << 3 | NUMBER);
        self.varint(number);
        self
    }

    /// Adds bytes, or a text.
    #[must_use]
    pub(super) fn bytes(mut self, field: u64, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        self.varint(field << 3 | BYTES);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// Adds a message.
    #[must_use]
    pub(super) fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }

    /// Adds any number of messages.
    #[must_use]
    pub(super) fn messages(self, field: u64, messages: &[Self]) -> Self {
        messages
            .iter()
            .fold(self, |all, one| all.message(field, one))
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn fields_are_as_the_documentation_of_protocol_buffers_shows_them() {
        let number = Message::default().number(1, 150);
        assert_eq!(number.clone().into_bytes(), [0x08, 0x96, 0x01]);
        let text = Message::default().bytes(2, "testing");
        assert_eq!(text.into_bytes(), b"\x12\x07testing");
        let nested = Message::default().message(3, &number);
        assert_eq!(nested.into_bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
    }
}
