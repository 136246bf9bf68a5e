//! hslink.h 1.0 in Rust: the part that a component with classes needs, under the names of the header. A function
//! pointer that the header marks as nullable is an `Option`.

#![allow(dead_code)]

use std::ffi::c_void;
use std::mem::size_of;

pub const MAGIC: u64 = 0x0A0D_4B4E_494C_5348;
pub const ABI_MAJOR: u16 = 1;
pub const ABI_MINOR: u16 = 0;

pub const ERROR_SELECTOR_NOT_FOUND: i32 = 2;
pub const ERROR_STOPPED: i32 = 4;
pub const ERROR_PAYLOAD: i32 = 5;
pub const ERROR_FAILED: i32 = 6;

pub const OK: i32 = 0;
pub const REPLIED: i32 = 0;

pub const OBJECT_METHOD: u32 = 0;
pub const CLASS_METHOD: u32 = 1;
pub const METHOD_QUICK: u32 = 1;
pub const SHARED: u32 = 0;

pub const INT: u32 = 2;
pub const STRING: u32 = 5;
pub const MAP: u32 = 9;
pub const OBJECT: u32 = 10;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Str {
    pub utf8: *const u8,
    pub length: usize,
}

impl Str {
    /// Borrows `text`, which must live as long as the result is used.
    pub const fn new(text: &str) -> Str {
        Str { utf8: text.as_ptr(), length: text.len() }
    }

    /// # Safety
    /// The bytes must live as long as the result is used.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        slice(self.utf8, self.length)
    }
}

/// A slice of `length` elements. If `length` is 0, the pointer is ignored.
///
/// # Safety
/// `first` must point to `length` elements that live as long as the result is used.
pub unsafe fn slice<'a, T>(first: *const T, length: usize) -> &'a [T] {
    if length == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(first, length)
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union Bits {
    pub i64: i64,
    pub f64: f64,
    pub utf8: *const u8,
    pub items: *const Value,
    pub entries: *const Entry,
    pub object: *mut Object,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Value {
    pub tag: u32,
    pub length: u32,
    pub bits: Bits,
}

#[repr(C)]
pub struct Entry {
    pub key: *const u8,
    pub key_length: u32,
    pub reserved: u32,
    pub value: Value,
}

impl Value {
    pub fn int(number: i64) -> Value {
        Value { tag: INT, length: 0, bits: Bits { i64: number } }
    }

    /// Borrows `text`, which must live as long as the value is used.
    pub fn text(text: &str) -> Value {
        Value { tag: STRING, length: text.len() as u32, bits: Bits { utf8: text.as_ptr() } }
    }

    pub fn object(object: *mut Object) -> Value {
        Value { tag: OBJECT, length: 0, bits: Bits { object } }
    }

    /// The value for `key`, or `None` if this is not a map or has no such key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        if self.tag != MAP {
            return None;
        }
        let entries = unsafe { slice(self.bits.entries, self.length as usize) };
        entries
            .iter()
            .find(|entry| unsafe { slice(entry.key, entry.key_length as usize) } == key.as_bytes())
            .map(|entry| &entry.value)
    }

    pub fn as_int(&self) -> Option<i64> {
        if self.tag == INT {
            Some(unsafe { self.bits.i64 })
        } else {
            None
        }
    }

    /// The text, or `None` if this is not a string or not valid UTF-8.
    pub fn as_text(&self) -> Option<&str> {
        if self.tag != STRING {
            return None;
        }
        std::str::from_utf8(unsafe { slice(self.bits.utf8, self.length as usize) }).ok()
    }
}

#[repr(C)]
pub struct Error {
    pub struct_size: u32,
    pub code: i32,
    pub domain: Str,
    pub message: Str,
    pub class_name: Str,
    pub selector: Str,
    pub component: Str,
    pub details: *const Value,
    pub cause: *const Error,
}

impl Error {
    /// An error of HSLink's own domain, borrowing `message`.
    pub fn new(code: i32, message: &str) -> Error {
        Error {
            struct_size: size_of::<Error>() as u32,
            code,
            domain: Str::new(""),
            message: Str::new(message),
            class_name: Str::new(""),
            selector: Str::new(""),
            component: Str::new(""),
            details: std::ptr::null(),
            cause: std::ptr::null(),
        }
    }
}

#[repr(C)]
pub struct Failure {
    pub report: unsafe extern "C" fn(*mut c_void, *const Error),
    pub context: *mut c_void,
}

#[repr(C)]
pub struct ReplyOps {
    pub struct_size: u32,
    pub reserved: u32,
    pub complete: unsafe extern "C" fn(*mut c_void, u64, *const Value, *const Error) -> i32,
    pub is_cancelled: unsafe extern "C" fn(*mut c_void, u64) -> i32,
    pub on_cancel:
        unsafe extern "C" fn(*mut c_void, u64, unsafe extern "C" fn(*mut c_void, i32), *mut c_void) -> i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Reply {
    pub ops: *const ReplyOps,
    pub slot: *mut c_void,
    pub token: u64,
}

#[repr(C)]
pub struct Call {
    pub struct_size: u32,
    pub flags: u32,
    pub reply: Reply,
    pub deadline: u64,
    pub caller: Str,
    pub component: *mut c_void,
    pub carried: *const Value,
}

#[repr(C)]
pub struct Object {
    pub object_type: *const ObjectType,
}

#[repr(C)]
pub struct ObjectType {
    pub struct_size: u32,
    pub reserved: u32,
    pub name: Str,
    pub retain: unsafe extern "C" fn(*mut Object),
    pub release: unsafe extern "C" fn(*mut Object),
    pub invoke: unsafe extern "C" fn(*mut Object, Str, *const Value, *const Call) -> i32,
    pub get_extension: Option<unsafe extern "C" fn(*const ObjectType, Str) -> *const c_void>,
}

pub type MethodFunction = unsafe extern "C" fn(*mut c_void, *mut Object, *const Value, *const Call) -> i32;

#[repr(C)]
pub struct Method {
    pub name: Str,
    pub kind: u32,
    pub flags: u32,
    pub function: MethodFunction,
    pub context: *mut c_void,
}

pub type Make = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut *mut Object, *const Failure) -> i32;

#[repr(C)]
pub struct Class {
    pub struct_size: u32,
    pub instances: u32,
    pub name: Str,
    pub methods: *const Method,
    pub method_count: u32,
    pub method_stride: u32,
    pub make: Option<Make>,
    pub context: *mut c_void,
}

#[repr(C)]
pub struct Descriptor {
    pub magic: u64,
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub name: Str,
    pub version: Str,
    pub classes: *const &'static Class,
    pub class_count: u64,
    pub create:
        Option<unsafe extern "C" fn(*const Descriptor, *const Host, *mut *mut c_void, *const Failure) -> i32>,
    pub destroy: Option<unsafe extern "C" fn(*const Descriptor, *mut c_void)>,
    pub get_extension: Option<unsafe extern "C" fn(*const Descriptor, Str) -> *const c_void>,
}

/// The host's table up to `leave`; the members after it are not declared here.
#[repr(C)]
pub struct Host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub component: Str,
    pub directory: Str,
    pub retain: unsafe extern "C" fn(*const Host),
    pub release: unsafe extern "C" fn(*const Host),
    pub unused: [*const c_void; 5],
    pub enter: unsafe extern "C" fn(*const Host) -> i32,
    pub leave: unsafe extern "C" fn(*const Host),
}

// The tables of a component, and everything they point to, are constants that any thread may read.
unsafe impl Sync for Str {}
unsafe impl Sync for ObjectType {}
unsafe impl Sync for Method {}
unsafe impl Sync for Class {}
unsafe impl Sync for Descriptor {}

const _: () = assert!(size_of::<Value>() == 16 && size_of::<Entry>() == 32);
const _: () = assert!(size_of::<Error>() == 104 && size_of::<Reply>() == 24 && size_of::<Call>() == 72);
const _: () = assert!(size_of::<ReplyOps>() == 32 && size_of::<ObjectType>() == 56);
const _: () = assert!(size_of::<Method>() == 40 && size_of::<Class>() == 56 && size_of::<Descriptor>() == 88);
const _: () = assert!(size_of::<Host>() == 112);

/// One ELF note in the section .note.hslink. `N` is the length of its text, a multiple of 8.
#[repr(C, align(8))]
pub struct Note<const N: usize> {
    pub name_size: u32,
    pub text_size: u32,
    pub kind: u32,
    pub owner: [u8; 4],
    pub text: [u8; N],
}

/// The length of `text` in a note, padded to a multiple of 8.
pub const fn padded(text: &str) -> usize {
    (text.len() + 7) / 8 * 8
}

/// A note that holds `text`, padded with spaces.
pub const fn note<const N: usize>(kind: u32, text: &str) -> Note<N> {
    let mut padded = [b' '; N];
    let mut index = 0;
    while index < text.len() {
        padded[index] = text.as_bytes()[index];
        index += 1;
    }
    Note { name_size: 4, text_size: N as u32, kind, owner: *b"HSL\0", text: padded }
}
