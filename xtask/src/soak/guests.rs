//! Guests of a server that do not play: those who watch, and those who mean it harm.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::World;
use super::dice::Dice;
use super::http::{connect, exchange, is_timeout, status};

/// How long a guest waits for something to happen.
const MOMENT: Duration = Duration::from_millis(500);

/// How long a hostile guest waits for an answer: longer than the server waits for a body.
const LONG: Duration = Duration::from_secs(30);

/// Connections that a hostile guest leaves half open.
const HALF_OPEN: usize = 40;

/// Watches games and lets the engine analyse them, over a WebSocket, until the time is over.
pub(super) fn watch(world: &World, number: usize) {
    let mut dice = Dice::new(world.seed, &format!("viewer {number}"));
    while !world.is_over() {
        thread::sleep(Duration::from_millis(dice.between(10, 500)));
        let games: Vec<String> = world.ledger().games.keys().cloned().collect();
        let Some(address) = world.address() else {
            continue;
        };
        if games.is_empty() {
            continue;
        }
        let game = dice.pick(&games);
        let stay = Duration::from_millis(dice.between(100, 4000));
        // The server may be gone at any moment, which is what it is for.
        _ = watch_game(world, address, game, stay);
    }
}

fn watch_game(
    world: &World,
    address: SocketAddr,
    game: &str,
    stay: Duration,
) -> std::io::Result<()> {
    let mut stream = connect(address, MOMENT)?;
    let request = format!(
        "GET /api/live HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes())?;
    for (id, method) in [(1, "watch"), (2, "analysis.watch")] {
        let params = match method {
            "watch" => json!({ "game": game }),
            _ => json!({ "game": game, "node": 0 }),
        };
        let call = json!({ "id": id, "method": method, "params": params });
        stream.write_all(&frame(call.to_string().as_bytes()))?;
    }
    let end = Instant::now() + stay;
    let mut heard = vec![0; 1 << 16];
    while Instant::now() < end && !world.is_over() {
        match stream.read(&mut heard) {
            Ok(0) => break,
            // Messages are counted by their first words; what is between two reads is not worth more.
            Ok(count) => {
                let events = heard[..count]
                    .windows(8)
                    .filter(|word| *word == b"\"event\":");
                world.figures.counts().events += events.count() as u64;
            }
            Err(error) if is_timeout(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A text as a WebSocket wants it from a client: masked, with a mask that changes nothing.
fn frame(text: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x81];
    match u8::try_from(text.len()) {
        Ok(length) if length < 126 => frame.push(0x80 | length),
        _ => {
            frame.push(0x80 | 126);
            frame.extend((text.len() as u16).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(text);
    frame
}

/// Sends what nobody should send, until the time is over.
pub(super) fn harm(world: &World) {
    let mut dice = Dice::new(world.seed, "hostile");
    let mut half_open: Vec<TcpStream> = Vec::new();
    while !world.is_over() {
        thread::sleep(Duration::from_millis(dice.between(5, 150)));
        let Some(address) = world.address() else {
            half_open.clear();
            continue;
        };
        let (name, request) = hostile(&mut dice, address);
        if name == "half a body" {
            // It stays open, and the oldest ones go.
            if let Ok(mut stream) = connect(address, MOMENT) {
                _ = stream.write_all(&request);
                half_open.push(stream);
            }
            if half_open.len() > HALF_OPEN {
                half_open.remove(0);
            }
            world.figures.hostile("half open".to_owned());
            continue;
        }
        let outcome = match exchange(address, &[&request], LONG) {
            Ok(answer) => match status(&answer) {
                Some(status @ 400..500) => status.to_string(),
                Some(status) => {
                    world
                        .figures
                        .problem(format_args!("{name} was answered with {status}"));
                    status.to_string()
                }
                None => "closed".to_owned(),
            },
            Err(error) if is_timeout(&error) => {
                world
                    .figures
                    .problem(format_args!("{name}: neither an answer nor an end"));
                "silent".to_owned()
            }
            Err(_) => "cut".to_owned(),
        };
        world.figures.hostile(outcome);
    }
}

/// A request that must be refused, and what it is.
fn hostile(dice: &mut Dice, address: SocketAddr) -> (&'static str, Vec<u8>) {
    let post = |method: &str, host: &str, length: usize, body: &[u8]| {
        let head = format!(
            "POST /api/{method} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        [head.as_bytes(), body].concat()
    };
    let own = address.to_string();
    match dice.below(9) {
        0 => {
            // A line end says that the noise is all.
            let mut noise = dice.noise(300);
            noise.extend(b"\r\n\r\n");
            ("noise", noise)
        }
        1 => ("half a body", post("games.list", &own, 5000, b"{\"a\":")),
        2 => (
            "a foreign host",
            post("games.list", "example.org", 2, b"{}"),
        ),
        3 => {
            let body = "[".repeat(100_000);
            (
                "deep JSON",
                post("games.new", &own, body.len(), body.as_bytes()),
            )
        }
        4 => ("a large body", post("games.open", &own, 13 << 20, b"{")),
        5 => {
            let noise = dice.noise(2000);
            let file: String = noise.iter().map(|byte| char::from(byte & 0x7f)).collect();
            let body = json!({ "text": file, "nonsense": true }).to_string();
            (
                "an unknown field",
                post("games.open", &own, body.len(), body.as_bytes()),
            )
        }
        6 => ("an unknown method", post("games.burn", &own, 2, b"{}")),
        7 => {
            let head = format!(
                "GET /{} HTTP/1.1\r\nHost: {own}\r\n\r\n",
                "a".repeat(40_000)
            );
            ("a long line", head.into_bytes())
        }
        _ => {
            let head = format!(
                "GET /../../etc/passwd HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n"
            );
            ("a path that climbs", head.into_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::frame;

    #[test]
    fn frames_say_how_long_they_are() {
        assert_eq!(frame(b"ab"), [0x81, 0x82, 0, 0, 0, 0, b'a', b'b']);
        let long = frame(&[b'x'; 300]);
        assert_eq!(long[..4], [0x81, 0xfe, 1, 44]);
        assert_eq!(long.len(), 4 + 4 + 300);
    }
}
