//! Memory asked for before it is needed. The one file of this crate with unsafe code.

/// Bytes that the processor fetches at once.
const LINE: usize = 64;

/// Asks for the cache line that this address lies in, wherever it points.
#[inline]
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "there is no safe name for the instruction")
)]
pub(crate) fn line(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction, and it is only a hint: it reads nothing that the program can
    // see and never faults, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Asks for a whole value.
#[inline]
pub(crate) fn value<T>(value: &T) {
    let start = (&raw const *value).cast::<u8>();
    for offset in (0..size_of::<T>()).step_by(LINE) {
        line(start.wrapping_add(offset));
    }
}
