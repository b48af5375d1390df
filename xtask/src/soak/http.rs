//! Requests to a server on this machine, by hand.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// Nothing takes that long on whatever machine: who waits longer has found a server that is frozen.
pub(super) const PATIENCE: Duration = Duration::from_secs(90);

/// What became of a call.
#[derive(Debug)]
pub(super) enum Reply {
    Done(Value),
    /// It was refused with this code.
    Refused(String),
    /// The connection ended without an answer.
    Cut,
    /// No answer came, and the connection stayed open.
    Silent,
}

/// Calls a method of the app.
pub(super) fn call(address: SocketAddr, method: &str, params: &Value) -> Reply {
    let body = params.to_string();
    let head = format!(
        "POST /api/{method} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    match exchange(address, &[head.as_bytes(), body.as_bytes()], PATIENCE) {
        Ok(answer) => read(&answer),
        Err(error) if is_timeout(&error) => Reply::Silent,
        Err(_) => Reply::Cut,
    }
}

pub(super) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Sends something on a connection of its own, and returns all that comes back.
pub(super) fn exchange(
    address: SocketAddr,
    parts: &[&[u8]],
    patience: Duration,
) -> io::Result<Vec<u8>> {
    let mut stream = connect(address, patience)?;
    for part in parts {
        // A server may answer, and close, before it has heard everything.
        if stream.write_all(part).is_err() {
            break;
        }
    }
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}

pub(super) fn connect(address: SocketAddr, patience: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, patience)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    Ok(stream)
}

/// The status of an answer, if it is one.
pub(super) fn status(answer: &[u8]) -> Option<u16> {
    let line = answer.split(|byte| *byte == b'\r').next()?;
    let line = std::str::from_utf8(line).ok()?;
    line.split(' ').nth(1)?.parse().ok()
}

fn read(answer: &[u8]) -> Reply {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let (Some(status), Some(end)) = (status(answer), end) else {
        return Reply::Cut;
    };
    // A server that was killed while it sent leaves half of a body.
    let Ok(body) = serde_json::from_slice::<Value>(&answer[end + 4..]) else {
        return Reply::Cut;
    };
    if status == 200 {
        return Reply::Done(body);
    }
    let code = body["code"].as_str().unwrap_or("without a code");
    Reply::Refused(code.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Reply, read};

    #[test]
    fn half_an_answer_is_none() {
        let whole = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"node\":1}";
        assert!(matches!(read(whole), Reply::Done(body) if body["node"] == 1));
        for end in 0..whole.len() {
            assert!(matches!(read(&whole[..end]), Reply::Cut), "{end}");
        }
        let refused = b"HTTP/1.1 507 x\r\n\r\n{\"code\":\"not_saved\",\"message\":\"\"}";
        assert!(matches!(read(refused), Reply::Refused(code) if code == "not_saved"));
    }
}
