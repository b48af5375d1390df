//! The secret that requests from other machines have to carry.

use std::fmt;
use std::str::FromStr;

/// Shorter secrets are guessed.
const SHORTEST: usize = 16;

/// Longer ones do not fit into an address that people paste.
const LONGEST: usize = 128;

/// Letters, digits, `-` and `_`: at least 16 of them.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Why a text is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It is too short or too long.
    #[error("a token has {SHORTEST} to {LONGEST} characters, and this one {0}")]
    Length(usize),
    /// This character would have to be escaped somewhere.
    #[error("a token has letters, digits, - and _, but no {0:?}")]
    Letter(char),
    /// The system had no randomness to give.
    #[error("the system has no random numbers for a token")]
    Random,
}

impl Token {
    /// A token that nobody guesses: 160 random bits.
    pub fn random() -> Result<Self, TokenError> {
        const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| TokenError::Random)?;
        let letter = |byte: &u8| char::from(LETTERS[usize::from(byte % 32)]);
        Ok(Self(bytes.iter().map(letter).collect()))
    }

    /// The token as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Is this the token? The time that the answer takes does not tell how much of it was right.
    pub fn is(&self, said: &str) -> bool {
        let differences = self
            .0
            .bytes()
            .zip(said.bytes())
            .map(|(own, other)| own ^ other);
        self.0.len() == said.len() && differences.fold(0, |all, difference| all | difference) == 0
    }
}

/// The token itself is left out: it would end up in logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let is_strange =
            |letter: &char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'));
        match text.chars().find(is_strange) {
            Some(letter) => Err(TokenError::Letter(letter)),
            None if (SHORTEST..=LONGEST).contains(&text.len()) => Ok(Self(text.to_owned())),
            None => Err(TokenError::Length(text.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_alone() {
        let token: Token = "abcdefgh-1234_XY".parse().unwrap();
        assert!(token.is("abcdefgh-1234_XY"));
        for other in [
            "",
            "abcdefgh-1234_X",
            "abcdefgh-1234_XYZ",
            "Abcdefgh-1234_XY",
        ] {
            assert!(!token.is(other), "{other}");
        }
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn random_tokens_differ_and_can_be_read() {
        let [one, other] = [Token::random().unwrap(), Token::random().unwrap()];
        assert_ne!(one, other);
        assert_eq!(one.as_str().parse(), Ok(one.clone()));
    }

    #[test]
    fn a_text_that_is_no_token_says_why() {
        assert_eq!("short".parse::<Token>(), Err(TokenError::Length(5)));
        let strange = "abcdefgh 12345678".parse::<Token>();
        assert_eq!(strange, Err(TokenError::Letter(' ')));
    }
}
