import ComponentKit
import PageKit
import SystemSupport
import TestSupport
import Testing

@testable import hslink

@Suite("Keys on the command line that differ in their bytes only")
struct ArgumentSpellingTests {
    @Test("are two keys, and one of them twice is an error")
    func keys() throws {
        let arguments = try PayloadArguments(["\u{E9}=1", "e\u{301}=2", "K=3", "\u{212A}=4"])
        #expect(
            arguments.keys.map { Array($0.utf8) } == ["\u{E9}", "e\u{301}", "K", "\u{212A}"].map { Array($0.utf8) })
        #expect(try arguments.payload().entries().count == 4)
        #expect(throws: UsageError.self) { try PayloadArguments(["K=1", "K=2"]) }
    }

    @Test("have the type of their own parameter")
    func types() throws {
        let arguments = try PayloadArguments(["K=1", "\u{212A}=1"])
        let values = try arguments.payload(types: ["K": "String"]).entries().map(\.value)
        #expect(values == ["1", 1])
    }

    @Test("are not the names of each other's fields")
    func fields() throws {
        let form = Form("Save", .call("save")) { Field("\u{E9}", "Name", .text, value: "old") }.node
        func values(_ arguments: [String]) throws -> [String: String] {
            let address = ActionAddress(section: "main", keys: [], word: "save")
            return try PageSession.values(of: ActionRequest(address, arguments, isConfirmed: true), for: form.fields)
        }
        #expect(try values(["\u{E9}=1"]) == ["\u{E9}": "1"])
        #expect(try values([]) == ["\u{E9}": "old"])
        #expect(throws: UsageError.self) { try values(["e\u{301}=1"]) }
        #expect(throws: UsageError.self) { try values(["\u{E9}=1", "e\u{301}=2"]) }
    }
}

@Suite("Values on the command line that begin with a combining mark")
struct ArgumentMarkTests {
    /// The value as it is written, and its text; nil for a file or a variable that is not there.
    static let values: [(written: String, text: String?)] = [
        ("@@\u{301}b", "@\u{301}b"), ("@@b", "@b"), ("@@", "@"), ("@@@\u{301}", "@@\u{301}"),
        ("\u{301}b", "\u{301}b"), ("@\u{301}b", nil), ("@\u{301}/nowhere", nil), ("@env:\u{301}NOBODY_SETS_THIS", nil),
    ]

    @Test("come from the source that the at sign before the mark says", arguments: values)
    func sources(written: String, text: String?) throws {
        let arguments = try PayloadArguments(["a=\(written)"])
        guard let text else {
            #expect(throws: UsageError.self) { try arguments.payload() }
            return
        }
        let value = try arguments.payload().string("a")
        #expect(Array(value.utf8) == Array(text.utf8))
    }

    @Test("are parameters of a URL")
    func parameters() throws {
        let call = try URLArguments("x:y", ["name=\u{301}a"]).call(remote: nil, limit: .none)
        #expect(try call.arguments.payload().string("url") == "x:y?name=%CC%81a")
        #expect(throws: UsageError.self) { try URLArguments("x:y", ["=\u{301}a"]) }
    }

    @Test("are completed from the names of files")
    func files() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("", to: "\u{301}name")
        let value = try #require(ValueCompletion(["a=@\(directory.path)/\u{301}n"], 0))
        #expect(value.completions(takesFileName: false) == ["a=@\(path)"])
    }

    @Test("are parts of an earlier result, which dots separate")
    func references() throws {
        var results = ScriptResults()
        results.add(["\u{301}a": ["b": 1]])
        #expect(try results.value(of: "$1.\u{301}a.b") == 1)
    }
}
