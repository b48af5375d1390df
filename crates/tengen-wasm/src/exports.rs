//! The functions that JavaScript calls.
//!
//! A text for one of them is written to where [`buffer`] says. What there is to do afterwards, [`Host::take_output`],
//! has as many bytes as the function returns and is read from where [`text`] says.

#![expect(
    unsafe_code,
    reason = "names that the linker must keep, and one function of JavaScript"
)]

use std::cell::RefCell;
use std::panic;
use std::time::Duration;

use crate::host::Host;
use crate::networks::NetworkKind;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment that stays the same, with fractions.
    safe fn milliseconds() -> f64;
}

thread_local! {
    static HOST: RefCell<Host> = RefCell::new(Host::new(time));
    /// What was said last, by either side.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn time() -> Duration {
    Duration::try_from_secs_f64(milliseconds() / 1000.0).unwrap_or_default()
}

/// Lets a panic leave its message as the text, since it ends with a trap that says nothing. To be called once, first of
/// all.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn open() {
    panic::set_hook(Box::new(|panic| {
        let words = panic.to_string().into_bytes();
        TEXT.with(|text| {
            if let Ok(mut text) = text.try_borrow_mut() {
                *text = words;
            }
        });
    }));
}

/// Makes room for a text of so many bytes, and says where.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn buffer(length: usize) -> *mut u8 {
    let mut place = vec![0; length];
    let start = place.as_mut_ptr();
    TEXT.set(place);
    start
}

/// Where the text is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn text() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}

/// How long the text is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn length() -> usize {
    TEXT.with_borrow(Vec::len)
}

/// A page says what is in the buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn call(viewer: u32, now: f64) -> usize {
    with_text(|host, text| host.call(u64::from(viewer), text, now as u64))
}

/// Brings the game back that is in the buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn restore(now: f64) -> usize {
    with_text(|host, text| host.restore(text, now as u64))
}

/// The file of a network is in the buffer: 0 is the baseline for small boards, 1 that for large ones, and all else one
/// that somebody has brought.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn add_network(kind: u32) -> usize {
    let kind = match kind {
        0 => NetworkKind::SmallBaseline,
        1 => NetworkKind::LargeBaseline,
        _ => NetworkKind::Own,
    };
    let bytes = TEXT.take();
    with(|host| host.add_network(kind, &bytes))
}

/// Goes back to the baselines.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn drop_network() -> usize {
    with(Host::drop_network)
}

/// A page is gone.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn leave(viewer: u32, now: f64) -> usize {
    with(|host| host.leave(u64::from(viewer), now as u64))
}

/// The time goes on.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn tick(now: f64) -> usize {
    with(|host| host.tick(now as u64))
}

/// Thinks for so many milliseconds.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn work(time: f64, now: f64) -> usize {
    let time = Duration::try_from_secs_f64(time / 1000.0).unwrap_or_default();
    with(|host| host.work(time, now as u64))
}

fn with_text(act: impl FnOnce(&mut Host, &str)) -> usize {
    let text = TEXT.take();
    with(|host| act(host, &String::from_utf8_lossy(&text)))
}

fn with(act: impl FnOnce(&mut Host)) -> usize {
    let output = HOST.with_borrow_mut(|host| {
        act(host);
        host.take_output()
    });
    TEXT.set(output.into_bytes());
    length()
}
