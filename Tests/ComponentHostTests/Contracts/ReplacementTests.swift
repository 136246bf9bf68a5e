import Testing

@testable import ComponentHost

@Suite("Replacing a component with another")
struct ReplacementTests {
    private func manifest(_ text: String) throws -> Manifest {
        try ManifestAssembly.manifest(#"{"name": "N", "version": "1.0.0", \#(text)}"#)
    }

    @Test(
        "everything that the first component offers is compared",
        arguments: [
            (
                #""classes": [{"name": "A"}]"#, #""classes": [{"name": "A"}, {"name": "B"}]"#,
                ["compatible B: new (class B)"]
            ),
            (
                #""classes": [{"name": "A"}, {"name": "B"}]"#, #""classes": [{"name": "A"}]"#,
                ["incompatible B: removed (class B)"]
            ),
            (
                #""classes": [{"name": "A", "selectors": [{"name": "a"}]}]"#,
                #""classes": [{"name": "B", "selectors": [{"name": "a"}]}]"#,
                ["incompatible A: renamed? (class A / class B)"]
            ),
            (
                #""classes": [{"name": "A", "selectors": [{"name": "a", "parameters": {"p": "int"}}]}]"#,
                #""classes": [{"name": "A", "selectors": [{"name": "a", "parameters": {"p": "text"}}]}]"#,
                ["incompatible A.a.parameters.p: different type (p: int / p: text)"]
            ),
            (
                #""classes": [{"name": "A", "provides": ["x/1"]}]"#, #""classes": [{"name": "A"}]"#,
                ["incompatible x/1: no longer provided (service x/1)"]
            ),
            (
                #""classes": [{"name": "A", "provides": ["x/1"]}]"#,
                #""classes": [{"name": "A", "provides": ["x/1"]}]"#,
                [
                    "notCompared x/1: not compared: the first file has no note about it, the second file has no note about it"
                ]
            ),
            (
                #""models": [{"name": "U", "fields": {"a": "Int"}}]"#,
                #""models": [{"name": "U", "fields": {"a": "Int?"}}]"#,
                ["incompatible U.a: may be nil now (a: Int / a: Int?)"]
            ),
            (
                #""models": [{"name": "E", "cases": {"a": {}}, "error": true}, {"name": "D", "fields": {}}]"#,
                #""models": [{"name": "E", "cases": {}, "error": true}, {"name": "D", "fields": {"a": "Int"}}]"#,
                ["incompatible E.a: removed (case a)", "incompatible D.a: new and required (a: Int)"]
            ),
            (#""models": [{"name": "U", "fields": {}}]"#, #""models": []"#, ["incompatible U: removed (model U)"]),
        ])
    func offers(old: String, new: String, lines: [String]) throws {
        #expect(ContractComparison(replacing: try manifest(old), with: try manifest(new)).lines == lines)
    }

    @Test("services that the first component only uses are not compared")
    func used() throws {
        let old = try Manifest.using(
            #"{"name": "a", "result": "U"}"#, models: #"{"name": "U", "fields": {"a": "Int"}}"#)
        #expect(ContractComparison(replacing: old, with: try manifest(#""classes": []"#)).lines == [])
    }

    @Test("a difference in a service is reported once, not again for the class")
    func service() throws {
        let old = try Manifest.providing(#"{"name": "a", "result": "Int"}"#)
        let new = try Manifest.providing(#"{"name": "a", "result": "Int?"}"#)
        #expect(
            ContractComparison(replacing: old, with: new).lines == [
                "incompatible S.a.result: may be nil now (result: Int / result: Int?)"
            ])
    }

    @Test("a component may replace itself")
    func oneself() throws {
        let manifest = try Manifest.providing(
            #"{"name": "a", "parameters": {"u": "U", "f": "(U) -> Void"}, "result": "[U?]"}"#,
            models: #"{"name": "U", "fields": {"u": "U?", "e": "E"}}, {"name": "E", "cases": {"a": {"_0": "U"}}}"#)
        #expect(ContractComparison(replacing: manifest, with: manifest).lines == [])
    }
}
