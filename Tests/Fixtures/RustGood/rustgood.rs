//! RustGood: works; a component in Rust without crates whose panics become errors.

#[path = "../../../Sources/Boundary/CHSLink/hslink.rs"]
mod hslink;

use hslink::*;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;

const MANIFEST: &str = r#"{"name": "RustGood", "version": "1.0.0", "layer": "business", "classes": [
  {"name": "RustGoodLink", "selectors": [
    {"name": "echo", "kind": "class"}, {"name": "sum", "kind": "class"}, {"name": "panic", "kind": "class"},
    {"name": "state", "kind": "class"}, {"name": "makeCounter", "kind": "class"},
    {"name": "count", "kind": "object"}]}]}"#;
const TOOLCHAIN: &str = r#"{"abi": "1.0"}"#;

#[used]
#[link_section = ".note.hslink"]
static MANIFEST_NOTE: Note<{ padded(MANIFEST) }> = note(1, MANIFEST);
#[used]
#[link_section = ".note.hslink"]
static TOOLCHAIN_NOTE: Note<{ padded(TOOLCHAIN) }> = note(16, TOOLCHAIN);

/// The component value: one for each host, kept alive by the instances that may outlive it.
struct State {
    host: *const Host,
    calls: AtomicI64,
}

impl Drop for State {
    fn drop(&mut self) {
        unsafe { ((*self.host).release)(self.host) }
    }
}

/// The answer of a method: a value, or the code and the message of an error.
type Answer = Result<Value, (i32, String)>;

/// Runs `body` and replies with its answer; no panic leaves this function.
unsafe fn answer(call: *const Call, body: impl FnOnce() -> Answer) -> i32 {
    let reply = (*call).reply;
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied().map(String::from);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err((ERROR_FAILED, format!("RustGood panicked: {}", text.unwrap_or_default())))
    });
    match outcome {
        Ok(value) => ((*reply.ops).complete)(reply.slot, reply.token, &value, std::ptr::null()),
        Err((code, message)) => {
            let error = Error::new(code, &message);
            ((*reply.ops).complete)(reply.slot, reply.token, std::ptr::null(), &error)
        }
    };
    REPLIED
}

fn int(payload: &Value, key: &str) -> Result<i64, (i32, String)> {
    let value = payload.get(key).and_then(Value::as_int);
    value.ok_or_else(|| (ERROR_PAYLOAD, format!("{}: expected an integer", key)))
}

unsafe extern "C" fn echo(_: *mut c_void, _: *mut Object, payload: *const Value, call: *const Call) -> i32 {
    answer(call, || Ok(*payload))
}

unsafe extern "C" fn sum(_: *mut c_void, _: *mut Object, payload: *const Value, call: *const Call) -> i32 {
    answer(call, || {
        let (a, b) = (int(&*payload, "a")?, int(&*payload, "b")?);
        let overflow = || (ERROR_PAYLOAD, "a + b: the sum does not fit into 64 bits".to_string());
        a.checked_add(b).map(Value::int).ok_or_else(overflow)
    })
}

unsafe extern "C" fn panic(_: *mut c_void, _: *mut Object, payload: *const Value, call: *const Call) -> i32 {
    answer(call, || {
        let index = int(&*payload, "index")? as usize;
        Ok(Value::int([10, 20, 30][index]))
    })
}

unsafe extern "C" fn state(_: *mut c_void, _: *mut Object, _: *const Value, call: *const Call) -> i32 {
    answer(call, || {
        let state = &*((*call).component as *const State);
        Ok(Value::int(state.calls.fetch_add(1, Ordering::SeqCst) + 1))
    })
}

/// The instance, which counts its calls. Its references are those of an `Arc`.
#[repr(C)]
struct Counter {
    object: Object,
    count: AtomicI64,
    state: Arc<State>,
}

static COUNTER_TYPE: ObjectType = ObjectType {
    struct_size: std::mem::size_of::<ObjectType>() as u32,
    reserved: 0,
    name: Str::new("RustGoodLink"),
    retain: retain_counter,
    release: release_counter,
    invoke: invoke_counter,
    get_extension: None,
};

/// A counter with one reference, which belongs to the caller.
unsafe fn new_counter(component: *mut c_void) -> *mut Object {
    let component = component as *const State;
    Arc::increment_strong_count(component);
    let counter = Counter {
        object: Object { object_type: &COUNTER_TYPE },
        count: AtomicI64::new(0),
        state: Arc::from_raw(component),
    };
    Arc::into_raw(Arc::new(counter)) as *mut Object
}

unsafe extern "C" fn retain_counter(this: *mut Object) {
    Arc::increment_strong_count(this as *const Counter);
}

unsafe extern "C" fn release_counter(this: *mut Object) {
    Arc::decrement_strong_count(this as *const Counter);
}

unsafe extern "C" fn count(_: *mut c_void, this: *mut Object, _: *const Value, call: *const Call) -> i32 {
    answer(call, || {
        let counter = &*(this as *const Counter);
        Ok(Value::int(counter.count.fetch_add(1, Ordering::SeqCst) + 1))
    })
}

unsafe extern "C" fn invoke_counter(
    this: *mut Object, selector: Str, payload: *const Value, call: *const Call,
) -> i32 {
    if selector.bytes() != b"count" {
        return answer(call, || Err((ERROR_SELECTOR_NOT_FOUND, "the object has no such selector".to_string())));
    }
    let counter = &*(this as *const Counter);
    let host = counter.state.host;
    if ((*host).enter)(host) != OK {
        return answer(call, || Err((ERROR_STOPPED, "RustGood has been stopped".to_string())));
    }
    let result = count(std::ptr::null_mut(), this, payload, call);
    ((*host).leave)(host);
    result
}

unsafe extern "C" fn make_counter(_: *mut c_void, _: *mut Object, _: *const Value, call: *const Call) -> i32 {
    let counter = new_counter((*call).component);
    let result = answer(call, || Ok(Value::object(counter)));
    release_counter(counter); // the receiver of the reply has retained it
    result
}

unsafe extern "C" fn make(
    _: *mut c_void, component: *mut c_void, instance: *mut *mut Object, _: *const Failure,
) -> i32 {
    *instance = new_counter(component);
    0
}

unsafe extern "C" fn create(
    _: *const Descriptor, host: *const Host, component: *mut *mut c_void, _: *const Failure,
) -> i32 {
    // This file has its own copy of the standard library, so the hook silences only this component's panics.
    std::panic::set_hook(Box::new(|_| {}));
    ((*host).retain)(host);
    *component = Arc::into_raw(Arc::new(State { host, calls: AtomicI64::new(0) })) as *mut c_void;
    0
}

unsafe extern "C" fn destroy(_: *const Descriptor, component: *mut c_void) {
    drop(Arc::from_raw(component as *const State));
}

const fn method(name: &'static str, kind: u32, function: MethodFunction) -> Method {
    Method { name: Str::new(name), kind, flags: METHOD_QUICK, function, context: std::ptr::null_mut() }
}

static METHODS: [Method; 6] = [
    method("echo", CLASS_METHOD, echo),
    method("sum", CLASS_METHOD, sum),
    method("panic", CLASS_METHOD, panic),
    method("state", CLASS_METHOD, state),
    method("makeCounter", CLASS_METHOD, make_counter),
    method("count", OBJECT_METHOD, count),
];
static LINK: Class = Class {
    struct_size: std::mem::size_of::<Class>() as u32,
    instances: SHARED,
    name: Str::new("RustGoodLink"),
    methods: METHODS.as_ptr(),
    method_count: METHODS.len() as u32,
    method_stride: std::mem::size_of::<Method>() as u32,
    make: Some(make),
    context: std::ptr::null_mut(),
};
static CLASSES: [&Class; 1] = [&LINK];
static DESCRIPTOR: Descriptor = Descriptor {
    magic: MAGIC,
    struct_size: std::mem::size_of::<Descriptor>() as u32,
    abi_major: ABI_MAJOR,
    abi_minor: ABI_MINOR,
    name: Str::new("RustGood"),
    version: Str::new("1.0.0"),
    classes: CLASSES.as_ptr(),
    class_count: CLASSES.len() as u64,
    create: Some(create),
    destroy: Some(destroy),
    get_extension: None,
};

#[no_mangle]
pub extern "C" fn hslink_component() -> *const Descriptor {
    &DESCRIPTOR
}
