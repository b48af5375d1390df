//! By which names the server may be called.

use std::net::IpAddr;

/// The names under which this server answers. A page of somebody else can make its own name mean this machine, but it
/// cannot make a browser send another name than its own: so a name that we do not know is a trick.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    reach: Reach,
    names: Vec<String>,
}

/// From where the server can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// From this machine alone.
    Loopback,
    /// From others, too. No browser looks an address of digits up, so that all of them are good.
    Network,
}

impl Hosts {
    /// The names that are always good, and these.
    pub(crate) fn new(reach: Reach, names: &[String]) -> Self {
        let names = names
            .iter()
            .map(|name| name.trim_end_matches('.').to_ascii_lowercase());
        Self {
            reach,
            names: names.collect(),
        }
    }

    /// Is this what a Host header of a request to us says, with or without a port?
    pub(crate) fn know(&self, authority: &str) -> bool {
        let Some(host) = host_of(authority) else {
            return false;
        };
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let literal = host
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .unwrap_or(&host);
        match literal.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || self.reach == Reach::Network,
            Err(_) => host == "localhost" || self.names.contains(&host),
        }
    }
}

/// The host of `host`, `host:port`, `[address]` or `[address]:port`.
fn host_of(authority: &str) -> Option<&str> {
    let end = match authority.strip_prefix('[') {
        Some(rest) => rest.find(']')? + 2,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at(end);
    let is_port = |port: &str| !port.is_empty() && port.parse::<u16>().is_ok();
    let fits = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    (!host.is_empty() && fits).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_loopback_only_its_own_names_are_known() {
        let hosts = Hosts::new(Reach::Loopback, &[]);
        for good in [
            "localhost",
            "localhost:8361",
            "LOCALHOST:1",
            "localhost.",
            "127.0.0.1:8361",
            "127.1.2.3",
            "[::1]",
            "[::1]:8361",
        ] {
            assert!(hosts.know(good), "{good}");
        }
        for bad in [
            "",
            ":8361",
            "example.org",
            "example.org:8361",
            "localhost.example.org",
            "192.168.1.2",
            "0.0.0.0:8361",
            "[::]:1",
            "[::1",
            "[::1]x",
            "localhost:",
            "localhost:99999",
            "localhost:80:80",
            "evil@localhost",
            "127.0.0.1.evil.org",
            "::1",
        ] {
            assert!(!hosts.know(bad), "{bad}");
        }
    }

    #[test]
    fn on_a_network_addresses_and_given_names_are_known() {
        let hosts = Hosts::new(Reach::Network, &["Go.Example.org".to_owned()]);
        for good in [
            "192.168.1.2:8361",
            "[fe80::1]:8361",
            "go.example.org",
            "go.example.org:80",
            "localhost",
        ] {
            assert!(hosts.know(good), "{good}");
        }
        assert!(!hosts.know("other.example.org"));
    }
}
