extension Scaffold {
    static func rustSource(_ name: ScaffoldName) -> String {
        #"""
        //! \#(name.text): says hello. The rules for every function here are at the beginning of the C header, hslink.h.

        #[path = "include/hslink.rs"]
        mod hslink;

        use hslink::*;
        use std::ffi::c_void;
        use std::mem::size_of;
        use std::panic::{catch_unwind, AssertUnwindSafe};
        use std::ptr::{null, null_mut};

        const MANIFEST: &str = r#"{"name": "\#(name.text)", "version": "0.1.0", "summary": "Says hello", "classes": [
          {"name": "\#(name.linkClass)", "selectors": [
            {"name": "greet", "kind": "class", "parameters": {"name": "string"}, "result": "string",
             "summary": "Greets by name"}]}]}"#;
        const TOOLCHAIN: &str = r#"{"abi": "1.0"}"#;

        #[used]
        #[link_section = ".note.hslink"]
        static MANIFEST_NOTE: Note<{ padded(MANIFEST) }> = note(1, MANIFEST);
        #[used]
        #[link_section = ".note.hslink"]
        static TOOLCHAIN_NOTE: Note<{ padded(TOOLCHAIN) }> = note(16, TOOLCHAIN);

        /// The answer of a method: a text, or the code and the message of an error.
        type Answer = Result<String, (i32, String)>;

        fn greeting(payload: &Value) -> Answer {
            let name = payload.get("name").and_then(Value::as_text);
            let name = name.ok_or_else(|| (ERROR_PAYLOAD, "name: expected a string".to_string()))?;
            Ok(format!("Hello, {}!", name))
        }

        unsafe extern "C" fn greet(_: *mut c_void, _: *mut Object, payload: *const Value, call: *const Call) -> i32 {
            answer(call, || greeting(&*payload))
        }

        /// Runs `body` and replies with its answer. No panic unwinds past this function.
        unsafe fn answer(call: *const Call, body: impl FnOnce() -> Answer) -> i32 {
            let reply = (*call).reply;
            let outcome = catch_unwind(AssertUnwindSafe(body));
            match outcome.unwrap_or_else(|_| Err((ERROR_FAILED, "\#(name.text) panicked".to_string()))) {
                Ok(text) => ((*reply.ops).complete)(reply.slot, reply.token, &Value::text(&text), null()),
                Err((code, message)) => {
                    let error = Error::new(code, &message);
                    ((*reply.ops).complete)(reply.slot, reply.token, null(), &error)
                }
            };
            REPLIED
        }

        static METHODS: [Method; 1] = [Method {
            name: Str::new("greet"),
            kind: CLASS_METHOD,
            flags: 0,
            function: greet,
            context: null_mut(),
        }];
        static LINK: Class = Class {
            struct_size: size_of::<Class>() as u32,
            instances: SHARED,
            name: Str::new("\#(name.linkClass)"),
            methods: METHODS.as_ptr(),
            method_count: METHODS.len() as u32,
            method_stride: size_of::<Method>() as u32,
            make: None,
            context: null_mut(),
        };
        static CLASSES: [&Class; 1] = [&LINK];
        static DESCRIPTOR: Descriptor = Descriptor {
            magic: MAGIC,
            struct_size: size_of::<Descriptor>() as u32,
            abi_major: ABI_MAJOR,
            abi_minor: ABI_MINOR,
            name: Str::new("\#(name.text)"),
            version: Str::new("0.1.0"),
            classes: CLASSES.as_ptr(),
            class_count: CLASSES.len() as u64,
            create: None,
            destroy: None,
            get_extension: None,
        };

        #[no_mangle]
        pub extern "C" fn hslink_component() -> *const Descriptor {
            &DESCRIPTOR
        }

        """#
    }
}
