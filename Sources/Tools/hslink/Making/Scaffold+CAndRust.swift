import SystemSupport

extension Scaffold {
    /// Returns a component in C or C++: one source file, a Makefile, and the headers of the contract.
    ///
    /// - Parameters:
    ///   - provider: the source of a component that provides a service; nil for one that greets.
    ///   - call: the command that calls it.
    static func cComponent(
        _ name: ScaffoldName, isCxx: Bool, headers: [String], provider: ProviderSource? = nil, call: String
    ) -> Scaffold {
        let source = "\(name.text).\(isCxx ? "cpp" : "c")"
        let compiler =
            isCxx
            ? "$(CXX) -std=c++17 -Wall -Wextra $(CXXFLAGS)" : "$(CC) -std=c11 -Wall -Wextra $(CFLAGS)"
        let command = "\(compiler) -Iinclude -fPIC -fvisibility=hidden -shared -Wl,--version-script=component.map"
        let flags = isCxx ? "CXXFLAGS" : "CFLAGS"
        let readme = Scaffold.readme(
            name, in: isCxx ? "C++" : "C", source: source, contract: "include/hslink.h", call: call, provider: provider)
        return Scaffold(
            files: [
                (source, .text(provider?.text ?? (isCxx ? cxxSource(name) : cSource(name)))),
                ("component.map", .text(symbolMap)),
                (
                    "Makefile",
                    .text(
                        makefile(
                            name, settings: "\(flags) ?= -O2 -g",
                            needs: "\(source) component.map $(wildcard include/*.h)",
                            command: "\(command) -o $@.part \(source)", provider: provider))
                ),
                (".gitignore", .text("/.build/\n")),
                ("README.md", .text(readme)),
            ] + headers.map { ("include/\($0.splitPath.name)", .copy(of: $0)) })
    }

    /// Returns a component in Rust: one source file, a Makefile, and the contract in Rust, with the headers, which have
    /// the rules.
    static func rustComponent(
        _ name: ScaffoldName, contract: String, headers: [String], call: String
    ) -> Scaffold {
        let source = "\(name.text).rs"
        let command = "$(RUSTC) --edition=2021 --crate-type=cdylib --crate-name=component $(RUSTFLAGS)"
        let readme = Scaffold.readme(name, in: "Rust", source: source, contract: "include/hslink.rs", call: call)
        return Scaffold(
            files: [
                (source, .text(rustSource(name))),
                (
                    "Makefile",
                    .text(
                        makefile(
                            name, settings: "RUSTC ?= rustc\nRUSTFLAGS ?= -C opt-level=2 -g",
                            needs: "\(source) include/hslink.rs", command: "\(command) -o $@.part \(source)"))
                ),
                (".gitignore", .text("/.build/\n")),
                ("README.md", .text(readme)),
                ("include/hslink.rs", .copy(of: contract)),
            ] + headers.map { ("include/\($0.splitPath.name)", .copy(of: $0)) })
    }

    private static func makefile(
        _ name: ScaffoldName, settings: String, needs: String, command: String, provider: ProviderSource? = nil
    ) -> String {
        let greeting = """
            \ttest '"Hello, Ada!"' = "$$($(HSLINK) call \(name.linkClass) greet name=Ada --class-method --plugins .build)"
            \t! $(HSLINK) call \(name.linkClass) greet '{"name": 1}' --class-method --plugins .build
            """
        let test = provider.map { "\t$(HSLINK) \($0.check.replacing("$", with: "$$"))" } ?? greeting
        return """
            # make builds the component, make test calls it.
            \(settings)
            HSLINK ?= hslink
            library = .build/lib\(name.text).so

            # Hosts refuse files that other users can modify, and files in folders that other users can modify.
            $(library): \(needs) Makefile
            \tmkdir -p -m 755 .build
            \t\(command)
            \tchmod 755 $@.part
            \tmv -f $@.part $@

            .PHONY: test clean
            test: $(library)
            \(test)

            clean:
            \trm -rf .build

            """
    }

    private static func readme(
        _ name: ScaffoldName, in language: String, source: String, contract: String, call: String,
        provider: ProviderSource? = nil
    ) -> String {
        let words = provider.map(\.call) ?? "\(name.linkClass) greet name=Ada --class-method"
        return """
            # \(name.text)

            A component in \(language) for HSLink hosts. [\(source)](\(source)) is the whole source; [\(contract)](\(contract))
            is the contract.

                make
                \(call)

            `make test` calls the component and checks the answers; `make test HSLINK=PATH` uses another hslink.
            `hslink dev\(words.map { " --call \($0.quotedForShell)" } ?? "")` rebuilds it whenever a source
            changes, and calls it. `.build/lib\(name.text).so` is the file to distribute.

            """
    }

    private static func cManifest(_ name: ScaffoldName) -> String {
        #"""
        HSLINK_MANIFEST("{\"name\": \"\#(name.text)\", \"version\": \"0.1.0\", \"summary\": \"Says hello\", \"classes\": [{"
                        "\"name\": \"\#(name.linkClass)\", \"selectors\": [{\"name\": \"greet\", \"kind\": \"class\", "
                        "\"parameters\": {\"name\": \"String\"}, \"result\": \"String\", "
                        "\"summary\": \"Greets by name\"}]}]}")
        """#
    }

    private static func cSource(_ name: ScaffoldName) -> String {
        #"""
        /* \#(name.text): says hello. The rules for every function here are at the beginning of hslink.h. */
        #include "hslink.h"

        \#(cManifest(name))

        static int32_t greet(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
            enum { NAME_BYTES = 200 };
            const hslink_value *name = hslink_map_get(payload, "name");
            char text[NAME_BYTES + 16] = "Hello, ";
            size_t length = strlen(text);
            (void)context; (void)self;
            if (name == NULL || name->tag != HSLINK_STRING)
                return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "name: expected a string");
            if (name->length > NAME_BYTES)
                return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "name: expected at most 200 bytes");
            if (name->length != 0) memcpy(text + length, name->as.utf8, name->length);
            length += name->length;
            text[length++] = '!';
            return hslink_return(call, hslink_utf8(text, (uint32_t)length));
        }

        static const hslink_method methods[] = {{HSLINK_LITERAL("greet"), HSLINK_CLASS_METHOD, 0, greet, NULL}};
        static const hslink_class link_class = HSLINK_CLASS("\#(name.linkClass)", methods, NULL, NULL);
        static const hslink_class *const classes[] = {&link_class};
        static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("\#(name.text)", "0.1.0", classes, NULL, NULL);
        HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }

        """#
    }

    private static func cxxSource(_ name: ScaffoldName) -> String {
        #"""
        /* \#(name.text): says hello. The rules for every function here are at the beginning of hslink.h. */
        #include "hslink.h"

        #include <exception>
        #include <stdexcept>
        #include <string>

        \#(cManifest(name))

        namespace {

        /* Thrown by a method whose payload is invalid. */
        struct payload_error : std::invalid_argument {
            using std::invalid_argument::invalid_argument;
        };

        std::string text(const hslink_value *payload, const char *key) {
            const hslink_value *value = hslink_map_get(payload, key);
            if (value == nullptr || value->tag != HSLINK_STRING) throw payload_error(std::string(key) + ": expected a string");
            return value->length == 0 ? std::string() : std::string(value->as.utf8, value->length);
        }

        int32_t greet(hslink_object *, const hslink_value *payload, const hslink_call *call) {
            const auto greeting = "Hello, " + text(payload, "name") + "!";
            return hslink_return(call, hslink_utf8(greeting.data(), static_cast<uint32_t>(greeting.size())));
        }

        using method = int32_t (*)(hslink_object *, const hslink_value *, const hslink_call *);

        /* The boundary: no exception thrown by `body` passes it. */
        template <method body>
        int32_t caught(void *, hslink_object *self, const hslink_value *payload, const hslink_call *call) noexcept {
            try {
                return body(self, payload, call);
            } catch (const payload_error &error) {
                return hslink_fail(call, HSLINK_ERROR_PAYLOAD, error.what());
            } catch (const std::exception &error) {
                return hslink_fail(call, HSLINK_ERROR_FAILED, error.what());
            } catch (...) {
                return hslink_fail(call, HSLINK_ERROR_FAILED, "an exception of an unknown type was thrown");
            }
        }

        const hslink_method methods[] = {{HSLINK_LITERAL("greet"), HSLINK_CLASS_METHOD, 0, caught<greet>, nullptr}};
        const hslink_class link_class = HSLINK_CLASS("\#(name.linkClass)", methods, nullptr, nullptr);
        const hslink_class *const classes[] = {&link_class};
        const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("\#(name.text)", "0.1.0", classes, nullptr, nullptr);

        }  // namespace

        HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }

        """#
    }

    private static func rustSource(_ name: ScaffoldName) -> String {
        #"""
        //! \#(name.text): says hello. The rules for every function here are at the beginning of the C header,
        //! include/hslink.h.

        #[path = "include/hslink.rs"]
        mod hslink;

        use hslink::*;
        use std::ffi::c_void;
        use std::mem::size_of;
        use std::panic::{catch_unwind, AssertUnwindSafe};
        use std::ptr::{null, null_mut};

        const MANIFEST: &str = r#"{"name": "\#(name.text)", "version": "0.1.0", "summary": "Says hello", "classes": [
          {"name": "\#(name.linkClass)", "selectors": [
            {"name": "greet", "kind": "class", "parameters": {"name": "String"}, "result": "String",
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
