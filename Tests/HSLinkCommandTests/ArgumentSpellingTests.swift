import ComponentKit
import SystemSupport
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
}
