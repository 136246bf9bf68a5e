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
}
