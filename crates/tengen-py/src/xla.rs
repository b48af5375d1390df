//! Steps that a program compiled by XLA takes itself: JAX calls [`step`] from inside of `jit` and `scan`.
//!
//! The types are those of `xla/ffi/api/c_api.h`, which comes with JAX and promises not to change what is here within a
//! major version. Arguments are a handle, which is the number of a batch and how often it was stepped, and the actions.
//! A handle that is not the newest is refused: games cannot be gone on with from an earlier step.

#![expect(
    unsafe_code,
    reason = "a function that XLA calls with pointers, as its interface for C says"
)]

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use pyo3::prelude::*;
use tengen_env::{Batch, Outputs, Planes};

/// The kind of extension that asks which version a function was written for.
const METADATA: c_int = 1;
/// The stage in which buffers may be used.
const EXECUTE: c_int = 3;
const INVALID_ARGUMENT: c_int = 3;

/// Types of numbers, as XLA counts them.
const PRED: c_int = 1;
const S32: c_int = 4;
const U8: c_int = 6;
const U32: c_int = 8;
const F32: c_int = 11;

#[repr(C)]
struct Extension {
    struct_size: usize,
    kind: c_int,
    next: *mut Extension,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Version {
    struct_size: usize,
    extension: *mut Extension,
    major: c_int,
    minor: c_int,
}

#[repr(C)]
struct Metadata {
    struct_size: usize,
    version: Version,
    traits: u32,
}

#[repr(C)]
struct MetadataExtension {
    base: Extension,
    metadata: *mut Metadata,
}

#[repr(C)]
struct NewError {
    struct_size: usize,
    extension: *mut Extension,
    message: *const c_char,
    code: c_int,
}

#[repr(C)]
struct Api {
    struct_size: usize,
    extension: *mut Extension,
    version: Version,
    internal: *const c_void,
    error: unsafe extern "C" fn(*mut NewError) -> *mut c_void,
}

#[repr(C)]
struct Buffer {
    struct_size: usize,
    extension: *mut Extension,
    kind: c_int,
    data: *mut c_void,
    rank: i64,
    sides: *const i64,
}

/// Arguments, or results.
#[repr(C)]
struct Buffers {
    struct_size: usize,
    extension: *mut Extension,
    count: i64,
    types: *const c_int,
    buffers: *const *const Buffer,
}

/// What a call comes with; its attributes, which follow, are not looked at.
#[repr(C)]
pub(crate) struct Call {
    struct_size: usize,
    extension: *mut Extension,
    api: *const Api,
    context: *mut c_void,
    stage: c_int,
    arguments: Buffers,
    results: Buffers,
}

/// A batch that compiled programs step, and how often they did.
struct Stepped {
    batch: Weak<Mutex<Batch>>,
    steps: u32,
}

static STEPPED: Mutex<BTreeMap<u32, Stepped>> = Mutex::new(BTreeMap::new());

fn stepped() -> MutexGuard<'static, BTreeMap<u32, Stepped>> {
    STEPPED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets compiled programs step a batch, as long as somebody has it. Returns its number.
pub(crate) fn register(batch: &Arc<Mutex<Batch>>) -> u32 {
    let mut all = stepped();
    all.retain(|_, one| one.batch.strong_count() > 0);
    let number = all.keys().next_back().map_or(0, |last| last + 1);
    let batch = Arc::downgrade(batch);
    all.insert(number, Stepped { batch, steps: 0 });
    number
}

/// Where the function is that XLA calls.
#[pyfunction]
pub(crate) fn xla_step() -> usize {
    step as *const () as usize
}

/// Steps a batch, for XLA.
///
/// # Safety
///
/// The call and all that it points to are as `c_api.h` says.
unsafe extern "C" fn step(call: *mut Call) -> *mut c_void {
    // SAFETY: XLA hands over a call frame that lives until this returns.
    let call = unsafe { &*call };
    // SAFETY: an extension is null or one of those that the interface knows.
    if let Some(extension) = unsafe { call.extension.as_ref() }
        && extension.kind == METADATA
    {
        // SAFETY: the interface is there in every call, and extensions of this kind have metadata to be filled.
        unsafe { describe(call.extension.cast(), &*call.api) };
        return ptr::null_mut();
    }
    if call.stage != EXECUTE {
        return ptr::null_mut();
    }
    // SAFETY: as above. No panic may get past a function of C.
    let done = panic::catch_unwind(AssertUnwindSafe(|| unsafe { step_batch(call) }));
    let refused = match done {
        Ok(Ok(())) => return ptr::null_mut(),
        Ok(Err(refused)) => refused,
        Err(_) => "a step panicked: see above".to_owned(),
    };
    let message = CString::new(refused.replace('\0', " ")).unwrap_or_default();
    let mut error = NewError {
        struct_size: size_of::<NewError>(),
        extension: ptr::null_mut(),
        message: message.as_ptr(),
        code: INVALID_ARGUMENT,
    };
    // SAFETY: XLA copies the message, and owns the error that it returns.
    unsafe { ((*call.api).error)(&raw mut error) }
}

/// Says which version of the interface this is written for: that which is there, since it uses nothing that any version
/// lacks.
///
/// # Safety
///
/// The extension is one for metadata.
unsafe fn describe(extension: *mut MetadataExtension, api: &Api) {
    // SAFETY: promised by the caller; the metadata is there to be written.
    let metadata = unsafe { &mut *(*extension).metadata };
    metadata.version = Version {
        struct_size: size_of::<Version>(),
        extension: ptr::null_mut(),
        ..api.version
    };
    metadata.traits = 0;
}

/// # Safety
///
/// The buffers are as `c_api.h` says, and nobody else uses the results.
unsafe fn step_batch(call: &Call) -> Result<(), String> {
    // SAFETY: promised by the caller.
    let (arguments, results) = unsafe { (all(&call.arguments), all(&call.results)) };
    let [handle, actions] = arguments else {
        return Err(format!("a step has 2 arguments, not {}", arguments.len()));
    };
    let [
        next,
        mask,
        rewards,
        terminated,
        to_move,
        moves,
        score,
        planes @ ..,
    ] = results
    else {
        return Err(format!("a step has 7 results or 8, not {}", results.len()));
    };
    // SAFETY: promised by the caller; each is checked for its type and has as many values as its sides say.
    let (handle, next, actions, out) = unsafe {
        let observation = match planes.first() {
            None => None,
            Some(planes) if (**planes).kind == F32 => Some(Planes::Floats(values(*planes, F32)?)),
            Some(planes) => Some(Planes::Bytes(values(*planes, U8)?)),
        };
        let out = Outputs {
            observation,
            mask: Some(values(*mask, PRED)?),
            rewards: Some(values(*rewards, F32)?),
            terminated: Some(values(*terminated, PRED)?),
            to_move: Some(values(*to_move, U8)?),
            moves: Some(values(*moves, S32)?),
            score: Some(values(*score, F32)?),
            ..Outputs::default()
        };
        let handle: &mut [u32] = values(*handle, U32)?;
        let next: &mut [u32] = values(*next, U32)?;
        let actions: &mut [i32] = values(*actions, S32)?;
        (handle, next, actions, out)
    };
    let (&mut [number, steps], [next_number, next_steps]) = (handle, next) else {
        return Err("a handle has 2 numbers".to_owned());
    };
    let batch = {
        let mut all = stepped();
        let one = all.get_mut(&number);
        let found = one.and_then(|one| Some((one.batch.upgrade()?, &mut one.steps)));
        let Some((batch, taken)) = found else {
            return Err(
                "the environment of this handle is gone: keep a reference to it".to_owned(),
            );
        };
        if *taken != steps {
            return Err(format!(
                "this handle is that of step {steps}, and the games have gone on to step {taken}: each handle is good \
                 for one step"
            ));
        }
        *taken = taken.wrapping_add(1);
        (*next_number, *next_steps) = (number, *taken);
        batch
    };
    let mut batch = batch.lock().unwrap_or_else(PoisonError::into_inner);
    let done = batch.step_some(actions, None, out);
    if done.is_err() {
        // Nothing has changed, so the handle is still good.
        if let Some(one) = stepped().get_mut(&number) {
            one.steps = steps;
        }
    }
    done.map_err(|error| error.to_string())
}

/// # Safety
///
/// As many buffers are there as it says.
unsafe fn all(buffers: &Buffers) -> &[*const Buffer] {
    let count = usize::try_from(buffers.count).unwrap_or(0);
    if count == 0 {
        return &[];
    }
    // SAFETY: promised by the caller.
    unsafe { slice::from_raw_parts(buffers.buffers, count) }
}

/// The values of a buffer, if they are of this type.
///
/// # Safety
///
/// The buffer has as many values as its sides say, `T` is what Rust calls their type, and nobody else uses them.
unsafe fn values<'a, T>(buffer: *const Buffer, kind: c_int) -> Result<&'a mut [T], String> {
    // SAFETY: promised by the caller.
    let buffer = unsafe { &*buffer };
    if buffer.kind != kind {
        return Err(format!(
            "an array has the type {} of XLA instead of {kind}",
            buffer.kind
        ));
    }
    let rank = usize::try_from(buffer.rank).unwrap_or(0);
    let count: i64 = if rank == 0 {
        1
    } else {
        // SAFETY: promised by the caller.
        unsafe { slice::from_raw_parts(buffer.sides, rank) }
            .iter()
            .product()
    };
    let count = usize::try_from(count).unwrap_or(0);
    if count == 0 {
        return Ok(&mut []);
    }
    // SAFETY: promised by the caller; XLA aligns buffers to 16 bytes at least.
    Ok(unsafe { slice::from_raw_parts_mut(buffer.data.cast(), count) })
}
