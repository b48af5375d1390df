//! Who is at the other end of a connection.

use std::net::IpAddr;

use tengen_app::{Client, Guest, Rights};

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Peer {
    /// Whose games and connections count together: an address, or a network of the size that one household gets.
    pub(crate) fn client(self) -> Client {
        match self.0.to_canonical() {
            IpAddr::V4(address) => Client(u64::from(address.to_bits())),
            IpAddr::V6(address) => Client((address.to_bits() >> 64) as u64),
        }
    }
}

/// What the room is to know about whoever sends a request.
pub(crate) fn guest(peer: Option<Peer>, rights: Option<Rights>) -> Guest {
    Guest {
        client: peer.map(Peer::client),
        rights: rights.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_one_household_is_one_client() {
        let client = |text: &str| Peer(text.parse().unwrap()).client();
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:1"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:1::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
    }
}
