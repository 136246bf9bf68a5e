import ComponentHost
import ComponentKit
import Testing

@testable import ForeignFunctions

@Suite("All errors of a description")
struct DescriptionErrorTests {
    private func description(_ more: String) throws -> Payload {
        try Payload(json: #"{"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A", \#(more)}"#)
    }

    @Test(
        "they are in the order in which reading stops at them",
        arguments: [
            (#"[]"#, [": map"]),
            (
                "{}",
                ["name: string", "version: string", "class: string", "declarations: a value", "library: a value"]
            ),
            (
                #"{"b": 1, "name": 1, "version": "1.0.0", "layer": 2, "class": "A", "library": [], "declarations": 3, "c": 4}"#,
                [
                    "b: one of ", "c: one of ", "name: string", "layer: string", "declarations: a string or an array",
                    "library: at least one library",
                ]
            ),
            (
                #"""
                {"name": "a", "version": "1.0.0", "class": "A", "library": [5, "../a"], "declarations": [1, "int a;", 2],
                 "routes": 6, "constants": {"c": 1.5, "d": 7, "e": "x"}, "handles": 7, "annotations": {"f": 8},
                 "rename": {"g": true}}
                """#,
                [
                    "declarations[0]: string", "declarations[2]: string", "library[0]: string", "constants.c: ",
                    "constants.e: ", "handles: map", "rename.g: string", "routes: map",
                ]
            ),
        ])
    func order(text: String, errors: [String]) throws {
        let json = try Payload(json: text)
        let found = LibraryDescription.errors(in: json)
        #expect(found.count == errors.count, "\(found)")
        for (error, expected) in zip(found, errors) {
            let place = PayloadError(path: error.path, expected: "", found: "").text(root: "")
            #expect((place.prefix { $0 != ":" } + ": \(error.expected)").hasPrefix(expected), "\(error)")
        }
        // Whoever does not ask for all of them stops at the first.
        let first = try #require(found.first)
        #expect(throws: first) { _ = try LibraryDescription(json) }
    }

    @Test("a description without errors has none")
    func none() throws {
        #expect(LibraryDescription.errors(in: try description(#""declarations": "int abs(int j);""#)).isEmpty)
    }

    @Test("thousands of items are read once")
    func items() throws {
        let constants = (0..<2000).map { #""C\#($0)": "x""# }.joined(separator: ",")
        let json = try description(#""declarations": "int abs(int j);", "constants": {\#(constants), "D": 1}"#)
        let paths = LibraryDescription.errors(in: json).map(\.path)
        #expect(paths == (0..<2000).map { ["constants", .key("C\($0)")] })
        let check = DescriptionCheck(json)
        #expect(check.problems.map(\.path) == paths)
        #expect(try check.json.value("constants").entries().map(\.key) == ["D"])
        #expect(check.description?.functions.map(\.selector) == ["abs"])
    }

    @Test("annotations that are wrong are left out together, and hide no other problem")
    func annotations() throws {
        let declarations = (0..<2000).map { "int f\($0)(int a, void *b);" }.joined(separator: " ")
        let annotations = (0..<2000).map { #""f\#($0)": {"a": "bytez"}"# }.joined(separator: ",")
        let json = try description(#""declarations": "\#(declarations)", "annotations": {\#(annotations)}"#)
        let problems = DescriptionCheck(json).problems
        #expect(problems.count == 4000)
        #expect(problems.prefix(2000).map(\.path) == (0..<2000).map { ["annotations", .key("f\($0)"), "a"] })
        #expect(problems.dropFirst(2000).allSatisfy { $0.path == ["declarations"] })
        #expect(problems.last?.message.hasPrefix("f1999: b: ") == true)
    }

    @Test("a parameter whose annotation was left out is not reported again")
    func consequences() throws {
        let json = try description(
            #""declarations": "int f(void *a, void *b);", "annotations": {"f": {"a": "bytez", "b": "bytes[4]"}}"#)
        #expect(DescriptionCheck(json).problems.map(\.path) == [["annotations", "f", "a"]])
    }

    @Test("one reading finds all annotations of a function that are wrong")
    func manyOfOne() throws {
        let parameters = (0..<200).map { "int p\($0)" }.joined(separator: ", ")
        let annotations = (0..<200).map { #""p\#($0)": "\#($0 % 2 == 0 ? "out" : "bytez")""# }.joined(separator: ",")
        let json = try description(
            #""declarations": "int f(\#(parameters));", "annotations": {"f": {\#(annotations)}}"#)
        let checked = try LibraryDescription(checking: json)
        #expect(checked.refusals.count == 200)
        #expect(checked.functions.map(\.selector) == ["f"])
        // A host needs only one reason.
        let read = try LibraryDescription(json)
        #expect(read.refusals.count == 1 && read.functions.isEmpty)
        #expect(read.refusals.first == checked.refusals.first)
        let paths = DescriptionCheck(json).problems.map(\.path)
        #expect(Set(paths) == Set((0..<200).map { ["annotations", "f", .key("p\($0)")] }))
        #expect(paths.count == 200)
    }

    @Test("the other annotations of a function count for the rest of the description")
    func others() throws {
        let json = try description(
            #"""
            "declarations": "char *f(int a); void g(void *p);",
            "annotations": {"f": {"a": "bytez", "return": "string free(g)"}}
            """#)
        #expect(DescriptionCheck(json).problems.map(\.path) == [["annotations", "f", "a"]])
        // A host counts none of them.
        #expect(try LibraryDescription(json).refusals.map(\.name) == ["f", "g"])
    }

    @Test(
        "an annotation that is wrong is told at its own key",
        arguments: [
            ("int f(int (*g)(int p));", #"{"f": {"g.p": "bytez"}}"#, "g.p", "expected a keyword such as "),
            ("int f(int a);", #"{"f": {"()": "bytez"}}"#, "()", "expected a keyword such as "),
            ("int f(int a, ...);", #"{"f": {"...": "(int, ...)"}}"#, "...", "the types for "),
            ("int f(int a, ...);", #"{"f": {"...": "printf(a)"}}"#, "...", #""..." needs a format, but "#),
            (
                "struct s { int n; }; int f(struct s *s);", #"{"f": {"s": "handle", "s.n": "= 'x'"}}"#, "s.n",
                "a string cannot be passed for a number"
            ),
            ("int f(int (*g)(int p));", #"{"f": {"g.q": "context"}}"#, "g.q", #"the callback has no parameter "q"; "#),
            ("int f(int a);", #"{"f": {"q.text": "in"}}"#, "q.text", #"there is no parameter "q"; "#),
            (
                "struct i { const char *p; int len; }; struct o { struct i i; }; int f(const struct o *o);",
                #"{"f": {"o.i.p": "string[lenn]"}}"#, "o.i.p", "the length must be the name of an integer of struct i"
            ),
            (
                "struct o { int a; struct { int b; } i; }; int f(struct o *o);",
                #"{"f": {"o": "inout", "o.i.c": "in"}}"#, "o.i.c", ""
            ),
            ("extern int f;", #"{"f": {"a": "in"}}"#, "a", #"a variable has annotations for "return" only"#),
            (
                "char *f(void); void g(int a, int b);", #"{"f": {"return": "string free ( g )"}}"#, "return",
                "g: it is used to release something, so it must take exactly one pointer"
            ),
        ])
    func place(declarations: String, annotations: String, key: String, message: String) throws {
        let json = try description(#""declarations": "\#(declarations)", "annotations": \#(annotations)"#)
        let problems = DescriptionCheck(json).problems
        let found = try #require(problems.first { $0.path == ["annotations", "f", .key(key)] }, "\(problems)")
        #expect(found.message.hasPrefix(message), "\(found)")
    }

    @Test("routes that are wrong have the path of what is wrong in them")
    func routes() throws {
        let json = try description(
            #"""
            "declarations": "int abs(int j); int labs(int j);", "rename": {"labs": "large"},
            "routes": {"abs": [{"pattern": "/abs/:j"}, {"pattern": "/a", "tags": ["t", "a b"]}, 7], "labs": {}}
            """#)
        let problems = DescriptionCheck(json).problems
        #expect(
            problems.map(\.path) == [
                ["routes", "abs", 1, "tags", 1], ["routes", "abs", 2], ["routes", "labs"],
            ])
        #expect(problems.last?.message == "routes: expected array, found map of 0")
        #expect(problems.first?.message.hasPrefix("expected ") == true)
    }
}
