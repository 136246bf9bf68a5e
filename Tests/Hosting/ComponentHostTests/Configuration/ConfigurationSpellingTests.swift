import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("Keys of a configuration that differ in their bytes only")
struct ConfigurationSpellingTests {
    @Test("are two keys of a file")
    func file() throws {
        let tree = try ConfigurationTree(
            json: Array("{\"A\": {\"\u{E9}\": 1, \"e\u{301}\": 2, \"K\": 3, \"\u{212A}\": 4}}".utf8))
        let type = ConfigurationType.scalar(.int)
        for (key, value) in [("\u{E9}", 1), ("e\u{301}", 2), ("K", 3), ("\u{212A}", 4)] {
            #expect(try tree.find(["A", key], type, in: "file")?.value == Payload(value))
        }
        #expect(tree.keys.count == 4)
    }

    @Test("are two files in a directory of secrets")
    func secrets() throws {
        let place = try TemporaryDirectory()
        try place.write("1", to: "A.\u{E9}")
        try place.write("2", to: "A.e\u{301}")
        let origin = try ConfigurationOrigin(secretsAt: place.path, .strict)
        #expect(origin.keys?.count == 2)
        #expect(try origin.find(["A", "\u{E9}"], .scalar(.string))?.value == "1")
        #expect(try origin.find(["A", "e\u{301}"], .scalar(.string))?.value == "2")
    }

    @Test("are two models in a model")
    func models() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let inner: Payload = ["name": "Inner", "fields": ["host": "string"]]
        let fields = Payload(entries: [(composed, "Inner"), (decomposed, "Inner")])
        let manifest = try Manifest([
            "name": "A", "version": "1.0.0", "configuration": "Options",
            "models": [["name": "Options", "fields": fields], inner],
        ])
        let text = "{\"A\": {\"\(composed)\": {\"host\": \"one\"}, \"\(decomposed)\": {\"host\": \"two\"}}}"
        let tree = try ConfigurationTree(json: Array(text.utf8))
        let origin = ConfigurationOrigin(name: "file", isSecret: false, keys: tree.keys, revision: "") {
            key, type throws(ConfigurationOrigin.Mismatch) in try tree.find(key, type, in: "file")
        }
        let section = CheckedConfiguration(of: manifest, in: [origin], owners: KeyOwners([manifest], [origin]))
        #expect(section.errors == [])
        for (key, value) in [(composed, "one"), (decomposed, "two")] {
            #expect(section.values[key]?["host"] == .string(value))
        }
    }
}
