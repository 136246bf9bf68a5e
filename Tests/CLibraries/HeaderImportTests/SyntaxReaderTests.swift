import Foundation
import Testing

@testable import HeaderImport

/// Tests the reader of clang's dump with invalid dumps.
struct SyntaxReaderTests {
    private static let dump = """
        {"id": "0x1", "kind": "TranslationUnitDecl", "loc": {}, "range": {"begin": {}, "end": {}}, "inner": [
          {"id": "0x2", "kind": "FunctionDecl", "loc": {"offset": 4, "file": "a.h", "line": 1, "col": 5,
            "includedFrom": {"file": "other.h"}},
           "range": {"begin": {"offset": 1}, "end": {"spellingLoc": {"file": "b.h"}, "expansionLoc": {"file": "c.h"}}},
           "name": "f\\u00e9\\"\\n", "type": {"qualType": "int (void)"}, "inline": true, "unknown": [1, {"a": [null, -1.5e3]}],
           "inner": [{"id": "0x3", "kind": "ParmVarDecl", "loc": {"offset": 1}, "name": "a", "inner": []}]},
          {"kind": "VarDecl", "loc": {"offset": 9, "line": 2}, "name": "v", "value": "5"}
        ]}
        """

    @Test("declarations are read with their files")
    func read() throws {
        var reader = SyntaxReader(Array(SyntaxReaderTests.dump.utf8))
        let nodes = try reader.read()
        #expect(nodes.map(\.kind) == ["FunctionDecl", "VarDecl"])
        #expect(nodes[0].name == "fé\"\n" && nodes[0].isInline && nodes[0].type == "int (void)")
        // The file was last named in the range of the previous function.
        #expect(nodes.map(\.file) == ["a.h", "c.h"] && nodes[0].children.first?.file == "c.h")
    }

    @Test("a dump that is cut off anywhere is refused")
    func cut() {
        let bytes = Array(SyntaxReaderTests.dump.utf8)
        for count in 0..<bytes.count - 1 {
            var reader = SyntaxReader(Array(bytes[..<count]))
            #expect(throws: ImportError.self, "\(count) bytes") { _ = try reader.read() }
        }
    }

    @Test("a dump of any depth is read", arguments: ["{\"inner\":[", "{\"a\":", "[", "{\"loc\":{\"a\":"])
    func depth(piece: String) {
        var reader = SyntaxReader(Array("{\"inner\":[{\"a\": \(String(repeating: piece, count: 200_000))".utf8))
        #expect(throws: ImportError.self) { _ = try reader.read() }
    }

    @Test("changed bytes crash nothing")
    func mutations() {
        var generator = SystemRandomNumberGenerator()
        let bytes = Array(SyntaxReaderTests.dump.utf8)
        for place in bytes.indices {
            var changed = bytes
            changed[place] = UInt8.random(in: 0...255, using: &generator)
            var reader = SyntaxReader(changed)
            if let nodes = try? reader.read() { #expect(nodes.count <= 2) }
        }
    }
}
