import ComponentKit
import ForeignFunctions
import Testing

@Suite("Descriptions")
struct DescriptionTests {
    private func description(
        _ declarations: [String], _ annotations: String = "{}", _ more: String = ""
    ) throws -> LibraryDescription {
        let list = declarations.map { "\"\($0)\"" }.joined(separator: ", ")
        return try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A", "declarations": [\(list)],
                     "annotations": \(annotations)\(more)}
                    """))
    }

    @Test(
        "errors of the file have a position",
        arguments: [
            (#"{"name": "a"}"#, "version: expected string, found nothing"),
            (#"{"name": "a", "version": "1.0.0", "class": "A"}"#, "declarations: expected a value, found nothing"),
            (
                #"{"nam": "a"}"#,
                "nam: expected one of name, version, layer, summary, library, shares, class, declarations, annotations, handles, constants, rename, routes, found an unknown key; did you mean \"name\"?"
            ),
            (
                #"{"name": "a", "version": "1.0.0", "class": "A", "declarations": 5, "library": []}"#,
                "declarations: expected a string or an array of strings, found int"
            ),
            (
                #"{"name": "a", "version": "1.0.0", "class": "A", "declarations": [], "library": []}"#,
                "library: expected at least one library, found none"
            ),
            (
                #"{"name": "a", "version": "1.0.0", "class": "A", "declarations": ["", 1], "library": ["a"]}"#,
                "declarations[1]: expected string, found int"
            ),
            (
                #"{"name": "a", "version": "1.0.0", "class": "A", "declarations": [], "library": ["x/y.so"]}"#,
                "library[0]: expected a name such as \"libz.so.1\", or a path that begins with \"/\" or \"./\" and has no \"..\" or \"$\", found \"x/y.so\""
            ),
            (
                #"{"name": "a", "version": "1.0.0", "class": "A", "declarations": [], "library": ["./../y.so"]}"#,
                "library[0]: expected a name such as \"libz.so.1\", or a path that begins with \"/\" or \"./\" and has no \"..\" or \"$\", found \"./../y.so\""
            ),
            (
                #"{"name": "a", "version": "1.0.0", "class": "A", "declarations": [], "library": "a", "constants": {"A": "1"}}"#,
                "constants.A: expected int, found string"
            ),
        ])
    func broken(text: String, message: String) throws {
        let error = #expect(throws: PayloadError.self) { try LibraryDescription(try Payload(json: text)) }
        #expect(error?.description == message)
    }

    @Test(
        "errors of a function are listed",
        arguments: [
            (
                "int f(flop x);", "{}",
                "declarations[0]:1:7: expected a type, found 'flop', which is not a declared type"
            ),
            (
                "int f(void *p);", "{}",
                #"f: p: void * needs an annotation: "bytes[length]", "string", "object", "handle(name)", "context" or "null""#
            ),
            (
                "int f(int *p);", "{}",
                #"f: p: int * needs an annotation: "in", "out", "inout", "items[count]" or "null""#
            ),
            ("int f(char *p);", "{}", #"f: p: char * needs an annotation: "out string[size]", "string" or "null""#),
            ("int f(const char *p);", #"{"f": {"q": "nullable"}}"#, #"f: there is no parameter "q"; it has p"#),
            ("int f(int a);", #"{"f": {"a": "out"}}"#, #"f: a: int is not a pointer: only "= …" is allowed"#),
            (
                "int f(int a);", #"{"f": {"a": "bytes[3]"}}"#,
                #"f: a: int is not a pointer: only "= …" is allowed"#
            ),
            (
                "int f(const int *a);", #"{"f": {"a": "out"}}"#,
                "f: a: const int * is read-only: remove \"out\" or \"inout\""
            ),
            (
                "int f(int *a);", #"{"f": {"a": "bytes[n]"}}"#,
                #"f: a: "bytes" needs a pointer to bytes or to void, not int *"#
            ),
            (
                "int f(void *a, int n);", #"{"f": {"a": "bytes[m]"}}"#,
                #"f: a: there is no parameter or constant "m""#
            ),
            (
                "int f(void *a, double n);", #"{"f": {"a": "bytes[n]"}}"#,
                #"f: a: "n" is neither an integer nor a pointer"#
            ),
            (
                "int f(void *a);", #"{"f": {"a": "bytes[sizeof(struct nothing)]"}}"#,
                "f: a: sizeof(struct nothing) has no value: the type is unknown or has no size"
            ),
            ("int f(void *a);", #"{"f": {"a": "bytes[g(a)]"}}"#, "f: a: g is not declared"),
            (
                "int f(void *a); int g(double);", #"{"f": {"a": "bytes[g(1)]"}}"#,
                "f: a: g has a parameter that is neither an integer nor a pointer"
            ),
            ("int f(void *a); int g(int);", #"{"f": {"a": "bytes[g(1, 2)]"}}"#, "f: a: g has 1 parameters, not 2"),
            (
                "int f(const char *format, ...);", "{}",
                #"f: "..." needs an annotation: a list of types such as "(int, const char *)", or "printf(format)""#
            ),
            (
                "int f(int a, ...);", #"{"f": {"...": "printf(a)"}}"#,
                #"f: "..." needs a format, but there is no parameter "a" of type char *"#
            ),
            (
                "double f(void);", #"{"f": {"return": "error if -1"}}"#,
                #"f: return: "error" needs an integer or a pointer, not double"#
            ),
            ("int f(int a);", #"{"f": {"return": "error if a"}}"#, #"f: return: "error" compares with numbers only"#),
            (
                "void *f(void);", "{}",
                #"f: return: void * needs an annotation: "ignored", "string", "value", "bytes[length]", "items[count]" or "handle(name)""#
            ),
            (
                "int f(int (*g)(void *p));", "{}",
                #"f: g: p: void * needs an annotation: "context", "in", "out", "bytes[…]", "items[…]" or "handle""#
            ),
            (
                "int f(int (*g)(int p));", #"{"f": {"g.q": "context"}}"#,
                #"f: g: the callback has no parameter "q"; it has p"#
            ),
            (
                "int f(char *(*g)(int p));", "{}",
                #"f: g: return: a returned pointer needs an annotation: "string free" if C frees the text with free()"#
            ),
            (
                "int f(struct s *p);", #"{"f": {"p.a": "in"}}"#,
                #"f: p: struct s * has no member "a""#
            ),
            (
                "struct s { int a : 3; int : 0; }; int f(struct s p);", "{}",
                "f: its parameter 'p' can't be passed: struct s has a bit-field without a name"
            ),
            ("struct s; struct s f(void);", "{}", "f: its result can't be passed: struct s is not defined"),
            (
                "int f(int a); int g(int a);", #"{"g": {"a": "= 1", "b": "out"}}"#,
                #"g: there is no parameter "b"; it has a"#
            ),
            ("int g(int a);", #"{"f": {"a": "= 1"}}"#, "f: it has annotations, but no valid declaration"),
            (
                "int f(void *a);", #"{"f": {"a": "bytes"}}"#,
                "f: its annotations are invalid: a: expected \"[\", found the end at byte 6"
            ),
            ("int f(void *a);", #"{"f": {"a": 5}}"#, "f: its annotations are invalid: a: expected string, found int"),
            ("int f(void *a);", #"{"f": 5}"#, "f: its annotations are invalid: "),
            (
                "int f(void *a);", #"{"f": {"a": "byte[3]"}}"#,
                "f: its annotations are invalid: a: expected a keyword such as \"out\", \"bytes[…]\", \"nullable\" or \"error unless 0\", found \"byte\" at byte 1"
            ),
            ("int f(int a, int b);", #"{"f": {"a": "= b", "b": "= a"}}"#, "f: a depends on itself"),
            (
                "int f(void *a, int n);", #"{"f": {"a": "out bytes[return]"}}"#,
                #"f: a: "return" and "room" are not known before the call, when the value is needed"#
            ),
            (
                "struct s { char c; } __attribute__((aligned(131072))); void f(struct s x);", "{}",
                "f: x: struct s has 131072 bytes aligned to 131072, but at most 65536 bytes aligned to 16 can be passed"
            ),
            (
                "struct s { char c[1ul << 46]; }; void f(struct s x);", "{}",
                "f: x: struct s has 70368744177664 bytes aligned to 1, but at most 65536 bytes aligned to 16 can be passed"
            ),
            (
                "union u { const char *t; long n; }; void f(union u x);", "{}",
                "f: x: t of union u is a pointer that overlaps another field; such a union can only be an output"
            ),
            (
                "struct s { int k; union { const char *t; long n; }; }; void f(struct s *x);",
                #"{"f": {"x": "inout"}}"#,
                "f: x: t of struct s is a pointer that overlaps another field; such a union can only be an output"
            ),
            (
                "union u { void *p; long n; }; void f(union u *x);", #"{"f": {"x": "out", "x.p": "handle(t)"}}"#,
                "f: x: p: a field that overlaps another cannot be a handle"
            ),
            (
                "void f(int (*g)(int arg2, int));", "{}", #"f: g: two parameters of the callback are named "arg2""#
            ),
            (
                "int f(int *errno);", #"{"f": {"errno": "out", "()": "errno"}}"#,
                #"f: "errno" is already the name of a parameter"#
            ),
            (
                "struct h; struct h *f(void);", #"{"f": {"return": "free"}}"#,
                #"f: return: "free" is for text, bytes, items and values; a handle is released through "handles""#
            ),
            (
                "void f(int *a);", #"{"f": {"a": "out free"}}"#,
                #"f: a: "free" is for output text and values, for errors and for results"#
            ),
            ("int f(int a, int a);", "{}", #"f: two parameters are named "a""#),
        ])
    func refused(declaration: String, annotations: String, reason: String) throws {
        let refusals = try description([declaration, "int good(int value);"], annotations).refusals
        let lines = refusals.map { "\($0.name): \($0.reason)" }
        #expect(!lines.isEmpty)
        #expect(lines.contains { $0.hasPrefix(reason) }, "\(lines)")
    }

    @Test("one bad function does not affect others, and the manifest lists it")
    func others() throws {
        let manifest = try description(["int bad(void *p);", "int good(int value);", "int worse("]).manifest
        #expect(try manifest.value("classes", 0, "selectors", 0, "name") == "good")
        #expect(try manifest.value("classes", 0, "selectors").count == 1)
        #expect(try manifest.value("refused").count == 2)
    }

    @Test("invalid names are refused, and equivalent names are equal")
    func names() throws {
        let found = try description(
            ["int f(void); int g(void); int h(void); int i(void);"], "{}",
            #", "rename": {"g": "", "h": "a\u0001", "i": "+i", "é": "x", "e\u0301": "y"}"#)
        let names = try found.manifest.value("classes", 0, "selectors").items().map { try $0.string("name") }
        #expect(names == ["f"])
        #expect(found.refusals.prefix(3).map(\.name) == ["g", "h", "i"])
    }

    @Test("arrays of types without a size, and huge ones, are read quickly")
    func huge() throws {
        let found = try description([
            "struct e {}; struct s { char a; struct e c[1ul << 40]; }; void f(struct s x); int good(int value);",
            "struct t { char c[8]; int d[1ul << 13]; }; void g(struct t x);",
        ])
        let names = try found.manifest.value("classes", 0, "selectors").items().map { try $0.string("name") }
        #expect(names.contains("good"))
    }

    @Test("functions that only release or compute are not reported as missing")
    func helpers() throws {
        let found = try description(
            ["typedef struct t t; t *open_t(void); void close_t(t *); void drop(void *p); char *text(void);"],
            #"{"text": {"return": "free(drop)"}}"#, #", "handles": {"t": "close_t"}"#)
        #expect(found.refusals.isEmpty)
    }

    @Test("two functions with one selector are refused, and renamed ones are found by their new names")
    func renamed() throws {
        let found = try description(
            ["int f(void); int g(void); int h(void);"], "{}", #", "rename": {"g": "f", "h": "i", "x": "y"}"#)
        let names = try found.manifest.value("classes", 0, "selectors").items().map { try $0.string("name") }
        #expect(names == ["f", "i"])
        #expect(found.refusals.map(\.name) == ["g", "x"])
    }

    @Test("routes of functions are part of the manifest, under the names of their selectors")
    func routes() throws {
        let found = try description(
            ["int f(int a); int g(void);"], "{}",
            #", "rename": {"f": "first"}, "routes": {"f": [{"pattern": "a://f/:a", "public": true}], "x": []}"#)
        let selectors = try found.manifest.value("classes", 0, "selectors").items()
        #expect(try selectors.map { try $0.string("name") } == ["first", "g"])
        #expect(selectors.map { $0["routes"] } == [[["pattern": "a://f/:a", "public": true]], nil])
        #expect(found.refusals.map { "\($0.name): \($0.reason)" } == ["x: it has routes, but no valid declaration"])
    }
}
