import ComponentKit
import Testing

@testable import ForeignFunctions

@Suite("Descriptions that would do harm")
struct RefusalTests {
    private static func description(
        _ declarations: String, _ annotations: String, _ more: String = "", library: String = "libc.so.6"
    ) throws -> LibraryDescription {
        try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "\(library)", "class": "A",
                     "declarations": "\(declarations)", "annotations": \(annotations)\(more)}
                    """))
    }

    @Test(
        "functions are refused with the reason",
        arguments: [
            // A handle can only keep one that goes in.
            (
                "struct h; struct i; void f(struct h **h, struct i **i);",
                #"{"f": {"h": "out", "i": "out keeps h"}}"#, "h: only a handle that goes in can be kept by another"
            ),
            (
                "struct h; struct h *f(int n);", #"{"f": {"return": "keeps n"}}"#,
                "n: only a handle that goes in can be kept by another"
            ),
            (
                "struct h; int f(struct h *h, struct h *i);", #"{"f": {"h": "keeps i"}}"#,
                #"h: "keeps" is for handles that come out"#
            ),
            // Nothing says who owns handles in arrays.
            (
                "struct h; int f(struct h **list, int n);", #"{"f": {"list": "out items[n]"}}"#,
                "list: handles in an array cannot come out, because nothing says who releases them"
            ),
            (
                "struct h; struct h **f(void);", #"{"f": {"return": "items[null]"}}"#,
                "return: handles in an array cannot come out, because nothing says who releases them"
            ),
            // libffi.
            (
                "struct s { int x; } __attribute__((aligned(16))); void f(struct s s, int n);", "{}",
                "s: struct s has eight bytes of padding, so it cannot be passed by value"
            ),
            (
                "struct s { long double x; }; struct s f(void);", "{}",
                "struct s has a long double, which libffi does not return correctly"
            ),
            // Words that mean nothing.
            ("int f(int a);", #"{"f": {"()": "string nullable"}}"#, #""()" can only be "quick", "errno", or both"#),
            ("int f(int a);", #"{"f": {"a": "= 'abc'"}}"#, "a: a string cannot be passed for a number"),
            ("int f(void *p);", #"{"f": {"p": "bytes[-1]"}}"#, "p: a length cannot be negative"),
            (
                "int f(int a[4]);", #"{"f": {"a": "items[3]"}}"#,
                #"a: the declaration has 4 values: expected "items[4]", "bytes[4]" or more"#
            ),
            (
                "int f(const int a[static 4]);", #"{"f": {"a": "in"}}"#,
                #"a: the declaration has 4 values: expected "items[4]", "bytes[4]" or more"#
            ),
            (
                "int f(unsigned char **rows, int n); int g(double **rows, int n);",
                #"{"f": {"rows": "items[n]"}, "g": {"rows": "items[n]"}}"#,
                "rows: values of the type double * cannot be passed"
            ),
            (
                "int printf(const char *f, ...);", #"{"printf": {"f": "= 'x=%d'", "...": "printf(f)"}}"#,
                #""..." needs a format that callers pass: "f" has an annotation"#
            ),
            (
                "struct s { int a : 3; int b; }; int f(struct s *s);", #"{"f": {"s": "handle", "s.a": "= 1"}}"#,
                "s: a: a bit-field behind a handle cannot be passed"
            ),
            (
                "struct i { const char *p; int len; }; struct o { struct i i; }; int f(const struct o *o);",
                #"{"f": {"o.i.p": "string[lenn]"}}"#,
                #"o: i: p: the length must be the name of an integer of struct i; did you mean "len"?"#
            ),
            (
                "extern const char blob[];", "{}",
                #"an array without a length needs the annotation "return": "string", if a NUL ends it"#
            ),
            (
                "struct s { int a; } __attribute__((ms_struct)); int f(struct s *s);", #"{"f": {"s": "inout"}}"#,
                "types with the attribute 'ms_struct' are not supported"
            ),
        ])
    func refused(declarations: String, annotations: String, reason: String) throws {
        let reasons = try Self.description(declarations, annotations).refusals.map(\.reason)
        #expect(reasons.contains(reason), "\(reasons)")
    }

    @Test(
        "an annotation that means nothing for a field is refused",
        arguments: [
            ("x", "= 5"), ("x", "out"), ("x", "handle(h)"), ("x", "error unless 0"), ("s", "= 'abc'"), ("s", "out"),
            ("s", "kept"), ("fn", "function"), ("fn", "context"), ("fn", "object"), ("fn", "new"), ("fn", "out"),
            ("list", "in"), ("s", "free"),
        ])
    func field(name: String, annotation: String) throws {
        let declarations = """
            struct o { int x; const char *s; int (*fn)(int); int list[3]; }; int f(const struct o *o);
            """
        let known = #""o.fn": "kept", "#.replacing(name == "fn" ? #""o.fn": "kept", "# : "\u{1}", with: "")
        let reasons = try Self.description(declarations, #"{"f": {\#(known)"o.\#(name)": "\#(annotation)"}}"#).refusals
        #expect(reasons.first?.reason.hasPrefix("o: \(name): ") == true, "\(reasons)")
    }

    @Test(
        "a function that cannot release is not called",
        arguments: [
            (
                "struct big { long a, b, c; }; struct big f(struct h *h);",
                "so it must return a number, a pointer or nothing"
            ),
            ("int f(struct h *h, int n);", "so it must take exactly one pointer"),
            ("int f(struct other *h);", "namely h, but takes a pointer to struct other"),
            ("__attribute__((ms_abi)) int f(struct h *h);", "but its calling convention 'ms_abi' is not supported"),
        ])
    func release(declaration: String, reason: String) throws {
        let description = try Self.description(
            "struct h; struct other; struct h *make(void); \(declaration)", "{}", #", "handles": {"h": "f"}"#)
        #expect(description.refusals.contains { $0.reason == "it is used to release something, \(reason)" })
        #expect(description.refusals.contains { $0.name == "make" && $0.reason == "f cannot release what it returns" })
    }

    @Test("what frees results cannot be called by itself, and a constant has one value")
    func others() throws {
        let text = try Self.description(
            "char *f(void); void g(const char *text); enum { A = 1 };",
            #"{"f": {"return": "string free(g)"}, "g": {"text": "string"}}"#, #", "constants": {"A": 2}"#)
        #expect(
            text.refusals.map(\.reason) == [
                "it frees what other functions return, so that it cannot be called by itself",
                #""constants" has 2 for it, but the declarations have 1"#,
            ])
        #expect(throws: PayloadError.self) { try Self.description("int f(int a);", "{}", library: "./$LIB/x.so") }
    }

    @Test("structs that are nested thousands of times are refused")
    func deep() throws {
        let chain = (1...4000).map { "struct n\($0) { struct n\($0 - 1) a; };" }.joined(separator: " ")
        let description = try Self.description("struct n0 { int a; }; \(chain) int f(struct n4000 n);", "{}")
        #expect(description.functions.isEmpty)
        #expect(description.refusals.first?.reason.contains("nested too deeply") == true, "\(description.refusals)")
    }
}
