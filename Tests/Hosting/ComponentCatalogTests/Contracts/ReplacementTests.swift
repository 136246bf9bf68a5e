import Testing

@testable import ComponentCatalog

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
                ["incompatible A.a.parameters.p: different type (p: Int / p: text)"]
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

    /// A class A with these selectors.
    private func classes(_ selectors: String) -> String { #""classes": [{"name": "A", "selectors": [\#(selectors)]}]"# }

    @Test(
        "what URLs lead to is compared",
        arguments: [
            (
                #"{"name": "a"}"#, #"{"name": "a", "routes": [{"pattern": "x://a"}]}"#,
                ["compatible A.a.routes: new (x://a)"]
            ),
            (
                #"{"name": "a", "routes": [{"pattern": "x://a"}]}"#, #"{"name": "a"}"#,
                ["incompatible A.a.routes: removed (x://a)"]
            ),
            (
                #"{"name": "a", "routes": [{"pattern": "x://a"}, {"pattern": "/a"}]}"#,
                #"{"name": "a", "routes": [{"pattern": "x://b"}, {"pattern": "X://A/"}]}"#,
                ["incompatible A.a.routes: removed (/a)", "compatible A.a.routes: new (x://b)"]
            ),
            (
                #"{"name": "a", "routes": [{"pattern": "x://a"}]}, {"name": "b"}"#,
                #"{"name": "a"}, {"name": "b", "routes": [{"pattern": "x://a", "public": true}]}"#,
                ["incompatible A.a.routes: leads to another selector (A.a: x://a / A.b: x://a [public])"]
            ),
            (
                #"{"name": "a", "routes": [{"pattern": "x://a", "public": true, "tags": ["s", "t"]}]}"#,
                #"{"name": "a", "routes": [{"pattern": "x://a", "tags": ["u", "t"], "priority": 5}]}"#,
                [
                    "incompatible A.a.routes: no longer public, new tag u, without the tag s, different priority "
                        + "(x://a [public, tag s, tag t] / x://a [tag u, tag t, priority 5])"
                ]
            ),
            (
                #"{"name": "a", "routes": [{"pattern": "x://a", "tags": ["s"]}]}"#,
                #"{"name": "a", "routes": [{"pattern": "x://a", "public": true}]}"#,
                ["compatible A.a.routes: now public, without the tag s (x://a [tag s] / x://a [public])"]
            ),
            (
                #"{"name": "a", "routes": [{"pattern": "x://a", "public": true}]}"#,
                #"{"name": "a", "routes": [{"pattern": "x://a", "public": ["s"]}]}"#,
                ["incompatible A.a.routes: no longer public for all sources (x://a [public] / x://a [public for s])"]
            ),
            (
                #"{"name": "a", "routes": [{"pattern": "x://a", "public": ["s", "t"]}]}"#,
                #"{"name": "a", "routes": [{"pattern": "x://a", "public": ["t", "u"]}]}"#,
                [
                    "incompatible A.a.routes: no longer public for s, now public for u "
                        + "(x://a [public for s and t] / x://a [public for t and u])"
                ]
            ),
            (
                #"{"name": "a", "routes": [{"pattern": "x://a", "public": ["s"]}]}"#,
                #"{"name": "a", "routes": [{"pattern": "x://a", "public": true}]}"#,
                ["compatible A.a.routes: now public for all sources (x://a [public for s] / x://a [public])"]
            ),
            // URLs are matched by their bytes, though Swift takes both spellings as equal.
            (
                #"{"name": "a", "routes": [{"pattern": "x://a/\#u{E9}"}]}"#,
                #"{"name": "a", "routes": [{"pattern": "x://a/e\#u{301}"}]}"#,
                [
                    "incompatible A.a.routes: removed (x://a/\u{E9})",
                    "compatible A.a.routes: new (x://a/e\u{301})",
                ]
            ),
            // The names of placeholders are those of parameters, which are compared as such.
            (
                #"{"name": "a", "parameters": {"n": "Int"}, "routes": [{"pattern": "x://a/:n"}]}"#,
                #"{"name": "a", "parameters": {"m": "Int"}, "routes": [{"pattern": "x://a/:m"}]}"#,
                ["incompatible A.a.parameters.n: renamed? (n: Int / m: Int)"]
            ),
            (
                #"{"name": "a", "parameters": {"n": "Int?", "m": "Int?"}, "routes": [{"pattern": "x://a/:n"}]}"#,
                #"{"name": "a", "parameters": {"n": "Int?", "m": "Int?"}, "routes": [{"pattern": "x://a/:m"}]}"#,
                ["incompatible A.a.routes: other names of placeholders (x://a/:n / x://a/:m)"]
            ),
            (
                #"{"name": "a", "routes": [{"pattern": "x://a/:n/*r"}]}"#,
                #"{"name": "a", "routes": [{"pattern": "x://a/:n/*q"}]}"#,
                ["incompatible A.a.routes: other names of placeholders (x://a/:n/*r / x://a/:n/*q)"]
            ),
            (
                #"{"name": "a", "parameters": {"n": "Int"}, "routes": [{"pattern": "x://a/:n"}]}"#,
                #"{"name": "a", "parameters": {"n": "String"}, "routes": [{"pattern": "x://a/:n"}]}"#,
                ["incompatible A.a.parameters.n: different type (n: Int / n: String)"]
            ),
            (
                #"{"name": "a", "parameters": {"n": "Int?"}, "routes": [{"pattern": "x://a"}]}"#,
                #"{"name": "a", "parameters": {"n": "Int?"}, "routes": [{"pattern": "x://a(/:n)"}]}"#, []
            ),
            (
                #"{"name": "a", "parameters": {"n": "Int?"}, "routes": [{"pattern": "x://a(/:n)"}]}"#,
                #"{"name": "a", "parameters": {"n": "Int?"}, "routes": [{"pattern": "x://a"}]}"#,
                ["incompatible A.a.routes: removed (x://a(/:n))", "compatible A.a.routes: new (x://a)"]
            ),
        ])
    func routes(old: String, new: String, lines: [String]) throws {
        let (old, new) = (try manifest(classes(old)), try manifest(classes(new)))
        #expect(ContractComparison(replacing: old, with: new).lines == lines)
    }

    @Test(
        "a tag keeps its interceptor",
        arguments: [
            (
                #", "intercepts": {"tags": ["s"]}"#, "", "", "",
                [
                    "incompatible A.a.intercepts: no interceptor has the tag s "
                        + "(intercepts routes with a tag [tag s])"
                ]
            ),
            (
                #", "intercepts": {"tags": ["s", "t", "u"], "priority": 5}"#, "", #", "intercepts": {"tags": ["t"]}"#,
                "",
                [
                    "incompatible A.a.intercepts: no interceptor has the tags s, u "
                        + "(intercepts routes with a tag [tag s, tag t, tag u, priority 5] "
                        + "/ intercepts routes with a tag [tag t])"
                ]
            ),
            (
                #", "intercepts": {"tags": ["s"]}"#, "", "", #", "intercepts": {"tags": ["s"]}"#,
                [
                    "compatible A.a.intercepts: other interceptors have its tags (intercepts routes with a tag [tag s])",
                    "compatible A.b.intercepts: new (intercepts routes with a tag [tag s])",
                ]
            ),
            (#", "intercepts": {}"#, "", "", "", ["incompatible A.a.intercepts: removed (intercepts all routes)"]),
            (
                #", "intercepts": {}"#, "", #", "intercepts": {"tags": ["s"]}"#, "",
                [
                    "incompatible A.a.intercepts: removed (intercepts all routes / intercepts routes with a tag [tag s])"
                ]
            ),
            (
                #", "intercepts": {"priority": 1}"#, "", #", "intercepts": {"priority": 2}"#, "",
                [
                    "compatible A.a.intercepts: changed "
                        + "(intercepts all routes [priority 1] / intercepts all routes [priority 2])"
                ]
            ),
        ])
    func interceptors(oldA: String, oldB: String, newA: String, newB: String, lines: [String]) throws {
        func classes(_ marksOfA: String, _ marksOfB: String) throws -> Manifest {
            let shape = #""parameters": {"request": "RouteRequest"}, "result": "RouteDecision""#
            return try manifest(
                self.classes(#"{"name": "a", \#(shape)\#(marksOfA)}, {"name": "b", \#(shape)\#(marksOfB)}"#))
        }
        let (old, new) = (try classes(oldA, oldB), try classes(newA, newB))
        #expect(ContractComparison(replacing: old, with: new).lines.filter { $0.contains("intercepts") } == lines)
    }

    @Test("routes of a service belong to the classes that provide it")
    func routesOfServices() throws {
        let old = try Manifest.providing(#"{"name": "a", "routes": [{"pattern": "x://a"}]}"#)
        let new = try Manifest.providing(#"{"name": "a"}"#)
        #expect(
            ContractComparison(replacing: old, with: new).lines == ["incompatible NLink.a.routes: removed (x://a)"])
        #expect(ContractComparison(replacing: old, with: old).lines == [])
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
