import Testing

@Suite("What #manifest refuses, and where")
struct ManifestDiagnosticsTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let json: String
        let diagnostics: [String]
        var testDescription: String { json }

        init(_ json: String, _ diagnostics: String...) {
            self.json = json
            self.diagnostics = diagnostics
        }
        /// Members beside a good name and version, all of them on line 2 of the source.
        static func member(_ member: String, _ messages: String...) -> Bad {
            var bad = Bad(#"{"name": "V", "version": "1.0.0", \#(member)}"#)
            bad = Bad(json: bad.json, diagnostics: messages.map { "2:1 " + $0 })
            return bad
        }
        private init(json: String, diagnostics: [String]) {
            self.json = json
            self.diagnostics = diagnostics
        }
    }

    private func check(_ bad: Bad) throws {
        let expansion = try Expansion(manifest: bad.json)
        #expect(expansion.diagnostics == bad.diagnostics)
        #expect(!expansion.source.contains("@section"))
    }

    @Test(
        "a component without the right name and version",
        arguments: [
            Bad("", "1:11 invalid JSON at line 1, column 1 of the text: expected a value, found the end of the text"),
            Bad("[]", "2:1 the manifest must be an object {…}, found an array"),
            Bad("null", "2:1 the manifest must be an object {…}, found null"),
            Bad(
                "{}", #"2:1 the manifest has no "name": add "name": "ComponentVideo""#,
                #"2:1 the manifest has no "version": add "version": "1.0.0""#),
            Bad(
                "{\n\"name\": \"\",\n\"version\": 1\n}",
                #"3:1 "name" is empty: write its text, or leave the key out where it may be missing"#,
                #"4:1 "version" must be a string, found a number"#),
            Bad(
                "{\n  \"version\": \"1.0\",\n  \"name\": \"1st\"\n}",
                #"3:1 "version" must be MAJOR.MINOR.PATCH such as "1.0.0" or "1.0.0-beta.1", found "1.0""#,
                #"4:1 "name" must begin with a letter A-Z or a-z, then have letters, digits, "_", "." or "-" only, "#
                    + #"found "1st""#),
            Bad(
                "{\"name\": \"Größe\", \"version\": \"1.0.0\"}",
                #"2:1 "name" must begin with a letter A-Z or a-z, then have letters, digits, "_", "." or "-" only, "#
                    + #"found "Größe""#),
        ])
    func component(_ bad: Bad) throws { try check(bad) }

    @Test(
        "keys that nobody reads, and keys of the macro",
        arguments: [
            .member(
                #""verison": 1"#,
                #"unknown key "verison" in the manifest: the nearest known key is "version"; a key of your own begins "#
                    + #"with "x-""#),
            .member(
                #""Klasses": []"#,
                #"unknown key "Klasses" in the manifest: the nearest known key is "classes"; a key of your own begins "#
                    + #"with "x-""#),
            .member(
                #""classes": [{"name": "A", "instance": "shared"}]"#,
                #"unknown key "instance" in a class: the nearest known key is "instances"; a key of your own begins "#
                    + #"with "x-""#),
            .member(
                #""classes": [{"name": "A", "selectors": [{"name": "a", "param\n": {}}]}]"#,
                #"unknown key "param\n" in a selector: the nearest known key is "name"; a key of your own begins "#
                    + #"with "x-""#),
            .member(
                #""requires": [{"class": "A", "optinal": true}]"#,
                #"unknown key "optinal" in a requirement: the nearest known key is "optional"; a key of your own begins "#
                    + #"with "x-""#),
            .member(#""module": "V""#, #""module" is written by the macro: remove it"#),
            .member(
                #""abi": "1.0", "compiler": "6.3.1""#, #""abi" is written by the macro: remove it"#,
                #""compiler" is written by the macro: remove it"#),
        ] as [Bad])
    func keys(_ bad: Bad) throws { try check(bad) }

    @Test(
        "classes",
        arguments: [
            .member(#""type": 1"#, #""type" must be a string, found a number"#),
            .member(
                #""type": "A.""#,
                #""type" must be the name of a Swift type such as "VideoLink" or "Video.Link", found "A.""#),
            .member(
                #""type": "Self""#,
                #""type" must be the name of a Swift type such as "VideoLink" or "Video.Link", found "Self""#),
            .member(#""layer": true"#, #""layer" must be a string, found a boolean"#),
            .member(#""classes": {}"#, #""classes" must be an array of objects [{…}, …], found an object"#),
            .member(#""classes": ["A"]"#, #"an item of "classes" must be an object {…}, found a string"#),
            .member(#""classes": [{}]"#, #"a class has no "name": add "name": "VideoLink""#),
            .member(
                #""classes": [{"name": "a b"}]"#,
                #"the class "a b" can't be a Swift type of that name: add "type" with the type's name"#),
            .member(
                #""classes": [{"name": "class"}]"#,
                #"the class "class" can't be a Swift type of that name: add "type" with the type's name"#),
            .member(
                #""classes": [{"name": "A", "type": "A<Int>"}]"#,
                #""type" must be the name of a Swift type such as "VideoLink" or "Video.Link", found "A<Int>""#),
            .member(
                #""classes": [{"name": "A"}, {"name": "A", "type": "B"}]"#,
                #"two classes have the name "A": rename one"#),
            .member(
                #""classes": [{"name": "A", "instances": "percall"}]"#,
                #""instances" must be "shared" or "perCall" or "perConsumer", found "percall""#),
            .member(
                #""classes": [{"name": "A", "instances": null}]"#,
                #""instances" must be "shared" or "perCall" or "perConsumer", found null"#),
        ] as [Bad])
    func classes(_ bad: Bad) throws { try check(bad) }

    @Test(
        "selectors and requirements",
        arguments: [
            .member(
                #""classes": [{"name": "A", "selectors": "probe"}]"#,
                #""selectors" must be an array of objects [{…}, …], found a string"#),
            .member(
                #""classes": [{"name": "A", "selectors": [{"kind": "class"}]}]"#,
                #"a selector has no "name": add "name": "probe""#),
            .member(
                #""classes": [{"name": "A", "selectors": [{"name": "a", "kind": "static"}]}]"#,
                #""kind" must be "object" or "class", found "static""#),
            .member(
                #""classes": [{"name": "A", "selectors": [{"name": "a"}, {"name": "a", "kind": "object"}]}]"#,
                #"two selectors of kind "object" have the name "a": rename one"#),
            .member(
                #""classes": [{"name": "A", "selectors": [{"name": "a", "quick": 1, "parameters": []}]}]"#,
                #""quick" must be true or false, found a number"#,
                #""parameters" must be an object {…}, found an array"#),
            .member(
                #""classes": [{"name": "A", "selectors": [{"name": "a", "parameters": {"b": 1, "c": "", "d": "Int"}}]}]"#,
                #"the type of the parameter "b" must be a string such as "Int", found a number"#,
                #"the type of the parameter "c" must be a string such as "Int", found an empty one"#),
            .member(
                #""classes": [{"name": "A", "selectors": [{"name": "a", "result": true}]}]"#,
                #""result" must be a string, found a boolean"#),
            .member(
                #""classes": [{"name": "A", "selectors": [{"name": "a\tb"}]}]"#,
                #""name" must have at most 255 bytes and no control characters, found "a\tb""#),
            .member(
                #""classes": [{"name": "A\u202eB", "type": "A"}]"#,
                #""name" must have at most 255 bytes and no control characters, found "A\#u{202E}B""#),
            .member(
                #""requires": [{}]"#,
                #"a requirement names exactly one: either "component", "class", "service" or "protocol""#),
            .member(
                #""requires": [{"component": "A", "class": "B"}]"#,
                #"a requirement names exactly one: either "component", "class", "service" or "protocol""#),
            .member(
                #""requires": [{"service": "a/1", "protocol": "A"}]"#,
                #"a requirement names exactly one: either "component", "class", "service" or "protocol""#),
            .member(
                #""requires": [{"class": "A", "selectors": "a"}]"#,
                #""selectors" must be an array of strings […], found a string"#),
            .member(
                #""requires": [{"class": "A", "selectors": [1, ""]}]"#,
                #"an item of "selectors" must be a string, found a number"#,
                #"an item of "selectors" is empty: write a name"#),
            .member(
                #""requires": [{"service": "a/1", "selectors": ["a"]}]"#,
                #""selectors" stands beside "class" only: remove it"#),
            .member(
                #""classes": [{"name": "A", "provides": "S"}]"#,
                #""provides" must be an array of strings […], found a string"#),
            .member(
                #""requires": [{"component": "A", "version": 1, "optional": "yes"}]"#,
                #""version" must be a string, found a number"#, #""optional" must be true or false, found a string"#),
            .member(
                #""requires": [{"component": "A", "version": "~>1.0"}]"#,
                #""version" must be a range such as ">=1.0.0 <2.0.0" or "1.2.0", found "~>1.0""#),
            .member(
                #""requires": [{"class": "A", "version": ">=1.0.0"}]"#,
                #"only a component has a version: remove "version" here"#),
        ] as [Bad])
    func selectors(_ bad: Bad) throws { try check(bad) }

    @Test("a name of 255 bytes is taken, one more is not")
    func longName() throws {
        func diagnostics(_ count: Int) throws -> [String] {
            let name = String(repeating: "n", count: count)
            return try Expansion(manifest: #"{"name": "\#(name)", "version": "1.0.0"}"#).diagnostics
        }
        #expect(try diagnostics(255) == [])
        let shown = String(repeating: "n", count: 60)
        #expect(
            try diagnostics(256) == [
                #"2:1 "name" must have at most 255 bytes and no control characters, found "\#(shown)"…"#
            ])
    }

    @Test("every problem is shown, each at its own line")
    func lines() {
        let expansion = Expansion(
            of: ##"""
                import ComponentKit

                #manifest("""
                    {
                      "name": "V",
                      "version": "1",
                      "classes": [
                        { "name": "A" },
                        { "name": "B",
                          "selector": [] } ]
                    }
                    """)
                """##)
        #expect(
            expansion.diagnostics == [
                #"6:5 "version" must be MAJOR.MINOR.PATCH such as "1.0.0" or "1.0.0-beta.1", found "1""#,
                #"10:5 unknown key "selector" in a class: the nearest known key is "selectors"; a key of your own "#
                    + #"begins with "x-""#,
            ])
    }

    @Test(
        "what is allowed in spite of looking odd",
        arguments: [
            #""x-color": {"deep": [1, {"anything": null}]}"#,
            #""classes": [{"name": "A", "x-a": 1, "selectors": [{"name": "a"}, {"name": "a", "kind": "class"}]}]"#,
            #""classes": [], "requires": [], "services": [], "routes": 1, "events": {}, "models": null"#,
            #""requires": [{"component": "V", "version": ">=1.0.0 <2.0.0", "x-why": ""}, {"class": "HostLink"}]"#,
        ])
    func allowed(_ member: String) throws {
        let expansion = try Expansion(manifest: #"{"name": "V", "version": "1.0.0", \#(member)}"#)
        #expect(expansion.diagnostics == [])
        #expect(expansion.source.contains("@section(\".note.hslink\")"))
    }
}
