import CHSLink
import ComponentKit
import Testing

@testable import ComponentCatalog

@Suite("Manifests")
struct ManifestTests {
    static let text = """
        {"module":"VideoModule","name":"ComponentVideo","version":"1.0.0","layer":"business","summary":"Looks in.",
        "classes":[{"name":"VideoLink","instances":"perCall","summary":"Videos","x-more":[1],"selectors":[
        {"name":"probe","kind":"object","parameters":{"path":"string","limit":"int"},"result":"map","quick":true,
        "async":true,"mainActor":true,"summary":"Looks in."},
        {"name":"probe","kind":"class"},{"name":"plain"}]},{"name":"Empty"}],
        "requires":[{"component":"EMAccount","version":">=1.0.0 <2.0.0","optional":true},{"class":"HostLink"},
        {"component":"Any"}],"x-own":{"a":1}}
        """

    @Test("everything that a manifest can contain is read")
    func everything() throws {
        let manifest = try ManifestAssembly.manifest(Self.text)
        #expect(manifest.name == "ComponentVideo")
        #expect(manifest.version == Version(1, 0, 0))
        #expect(manifest.layer == "business")
        #expect(manifest.summary == "Looks in.")
        #expect(manifest.module == "VideoModule")
        #expect(manifest.abi == nil)
        #expect(manifest.compiler == nil)
        #expect(
            manifest.classes == [
                ClassDeclaration(
                    name: "VideoLink", instances: .perCall,
                    selectors: [
                        SelectorDeclaration(
                            name: "probe", kind: .object,
                            parameters: [.init(name: "path", type: "String"), .init(name: "limit", type: "Int")],
                            result: "map", isQuick: true, isAsync: true, isMainActor: true, summary: "Looks in."),
                        SelectorDeclaration(
                            name: "probe", kind: .class, parameters: [], result: nil, isQuick: false, isAsync: false,
                            isMainActor: false, summary: nil),
                        SelectorDeclaration(
                            name: "plain", kind: .object, parameters: [], result: nil, isQuick: false, isAsync: false,
                            isMainActor: false, summary: nil),
                    ], summary: "Videos", extra: ["x-more": [1]]),
                ClassDeclaration(name: "Empty", instances: .shared, selectors: [], summary: nil),
            ])
        let range = try #require(VersionRange(">=1.0.0 <2.0.0"))
        #expect(
            manifest.requires == [
                Requirement(.component("EMAccount", range), isOptional: true), Requirement(.linkClass("HostLink")),
                Requirement(.component("Any", .any)),
            ])
        #expect(
            manifest.requires.map(\.description) == [
                "component EMAccount >=1.0.0 <2.0.0", "class HostLink", "component Any",
            ])
        #expect(manifest.classDeclaration("VideoLink")?.selector("probe", .class)?.isQuick == false)
        #expect(manifest.classDeclaration("VideoLink")?.selector("plain", .class) == nil)
        #expect(manifest.classDeclaration("AudioLink") == nil)
    }

    @Test("unknown keys are kept")
    func unknownKeys() throws {
        let manifest = try ManifestAssembly.manifest(Self.text)
        #expect(try manifest.extra.value("x-own", "a").int() == 1)
        #expect(try manifest.classes[0].extra.value("x-more", 0).int() == 1)
    }

    @Test("name and version are enough")
    func smallest() throws {
        let manifest = try ManifestAssembly.manifest(#"{"name": "A.b_c-1", "version": "0.1.0-beta"}"#)
        #expect(manifest.module == "A.b_c-1")
        #expect(manifest.classes.isEmpty && manifest.requires.isEmpty)
        #expect(manifest.layer == nil && manifest.summary == nil)
    }

    /// Text of a manifest after name and version, and its error.
    static let mistakes: [(json: String, message: String)] = [
        (#""classes": {}"#, "classes: expected array, found map of 0"),
        (#""classes": [1]"#, "classes[0]: expected an object with the key name, found int"),
        (#""classes": [{}]"#, "classes[0].name: expected string, found nothing"),
        (#""classes": [{"name": ""}]"#, "classes[0].name: expected 1 to 255 bytes without control characters"),
        (#""classes": [{"name": "A\u001b[2J"}]"#, #"found "A\u{1b}[2J""#),
        (
            #""classes": [{"name": "A", "instances": "many"}]"#,
            #"classes[0].instances: expected "shared" or "perCall" or "perConsumer", found "many""#
        ),
        (
            #""classes": [{"name": "A", "selectors": [{"name": "a"}, {"name": "b"}, {"name": "c", "kind": 3}]}]"#,
            #"classes[0].selectors[2].kind: expected "object" or "class", found int"#
        ),
        (
            #""classes": [{"name": "A", "selectors": [{"name": "a", "quick": "yes"}]}]"#,
            #"classes[0].selectors[0].quick: expected bool, found string"#
        ),
        (
            #""classes": [{"name": "A", "selectors": [{"name": "a", "parameters": ["x"]}]}]"#,
            "classes[0].selectors[0].parameters: expected map, found array of 1"
        ),
        (
            #""classes": [{"name": "A", "selectors": [{"name": "a", "parameters": {"p": 1}}]}]"#,
            "classes[0].selectors[0].parameters.p: expected string, found int"
        ),
        (
            #""classes": [{"name": "A"}, {"name": "B"}, {"name": "A"}]"#,
            #"classes[2].name: expected a name that no earlier class has, found "A""#
        ),
        (
            #""classes": [{"name": "A", "selectors": [{"name": "a"}, {"name": "a", "kind": "object"}]}]"#,
            #"classes[0].selectors[1].name: expected a name that no earlier selector of this kind has, found "a""#
        ),
        (
            #""requires": [{}]"#,
            #"requires[0]: expected exactly one of "component", "class", "service" and "protocol", found none"#
        ),
        (#""requires": [{"component": "A", "class": "B"}]"#, #"found "component" and "class""#),
        (#""requires": [{"service": "a/1", "version": "1.0.0"}]"#, "requires[0].version: expected no version"),
        (#""requires": [{"service": "a/1", "selectors": ["a"]}]"#, "requires[0].selectors: expected no selectors"),
        (#""requires": [{"class": "A", "selectors": "a"}]"#, "requires[0].selectors: expected array"),
        (
            #""requires": [{"class": "A", "selectors": ["a", "a"]}]"#,
            "requires[0].selectors[1]: expected each name once"
        ),
        (#""requires": [{"class": "A", "selectors": [""]}]"#, "requires[0].selectors[0]: expected 1 to 255 bytes"),
        (#""classes": [{"name": "A", "provides": [1]}]"#, "classes[0].provides[0]: expected string, found int"),
        (
            #""services": [{"name": "a", "protocol": "A"}]"#,
            "services[0].name: expected letters, digits, dots and hyphens, then a slash and"
        ),
        (#""services": [{"name": "a/1"}]"#, "services[0].protocol: expected string, found nothing"),
        (#""models": [{"name": "A"}]"#, #"models[0]: expected one of "fields" and "cases", found neither"#),
        (#""models": [{"name": "A", "fields": {}, "cases": {}}]"#, "models[0]: expected one of"),
        (#""models": [{"name": "A", "fields": {"a": 1}}]"#, "models[0].fields.a: expected string, found int"),
        (#""models": [{"name": "A", "fields": {}, "raw": "Int"}]"#, "models[0].raw: expected no raw type"),
        (#""models": [{"name": "A", "cases": {"a": {"_0": 1}}}]"#, "models[0].cases.a._0: expected string"),
        (#""models": [{"name": "A", "cases": {"a": "1"}}]"#, "models[0].cases.a: expected map"),
        (#""models": [{"name": "A", "raw": "Int", "cases": {"a": 1}}]"#, "models[0].cases.a: expected map"),
        (#""models": [{"name": "A", "cases": ["a"]}]"#, "models[0].cases: expected map, found array of 1"),
        (
            #""requires": [{"component": "A", "version": "new"}]"#,
            #"requires[0].version: expected a range such as ">=1.0.0 <2.0.0" or "1.2.0", found "new""#
        ),
        (#""requires": [{"class": "A", "version": "1.0.0"}]"#, "requires[0].version: expected no version"),
        (#""requires": [{"class": "A", "optional": 1}]"#, "requires[0].optional: expected bool, found int"),
        (#""layer": 1"#, "layer: expected string, found int"),
    ]

    @Test("a mistake is reported with its position", arguments: mistakes)
    func mistake(_ mistake: (json: String, message: String)) throws {
        let error = try #require(
            try refusal {
                _ = try ManifestAssembly.manifest(#"{"name": "N", "version": "1.0.0", \#(mistake.json)}"#)
            })
        #expect(error.code == .invalidManifest)
        #expect(error.message.hasPrefix("the manifest is invalid: "))
        #expect(error.message.contains(mistake.message), "\(error)")
    }

    @Test(
        "name and version have rules",
        arguments: [
            (#"{"version": "1.0.0"}"#, "name: expected string, found nothing"),
            (#"{"name": "N"}"#, "version: expected string, found nothing"),
            (#"{"name": null, "version": "1.0.0"}"#, "name: expected string, found null"),
            (#"{"name": "1st", "version": "1.0.0"}"#, "name: expected a letter A-Z or a-z"),
            (#"{"name": "../x", "version": "1.0.0"}"#, #"found "../x""#),
            (#"{"name": "Ä", "version": "1.0.0"}"#, "name: expected a letter A-Z or a-z"),
            (#"{"name": "host", "version": "1.0.0"}"#, #"found "host""#),
            (
                #"{"name": "N", "version": "1.0"}"#,
                #"version: expected a version such as "1.0.0" or "1.0.0-beta.1", found "1.0""#
            ),
            (#"{"name": "N", "version": 1}"#, "version: expected string, found int"),
            ("[]", "found array of 0"),
        ])
    func nameAndVersion(json: String, message: String) throws {
        let error = try #require(try refusal { _ = try ManifestAssembly.manifest(json) })
        #expect(error.code == .invalidManifest)
        #expect(error.message.contains(message), "\(error)")
    }

    @Test(
        "a text that is not JSON is refused",
        arguments: ["", "{", "{\"name\": }", "name", "{\"a\":1,\"a\":2}", "\u{0}"])
    func noJSON(_ text: String) throws {
        let error = try #require(try refusal { _ = try ManifestAssembly.manifest(text) })
        #expect(error.code == .invalidManifest)
        #expect(error.message.hasPrefix("the manifest is not JSON: "), "\(error)")
    }

    @Test("a text beyond 1 MB is refused")
    func tooLarge() throws {
        let error = try #require(
            try refusal { _ = try ManifestAssembly.manifest(String(repeating: " ", count: 1 << 21)) })
        #expect(error.message == "the manifest is larger than 1 MB: it has 2097152 bytes")
    }

    @Test("deep nesting is refused")
    func deep() throws {
        let text = String(repeating: "[", count: 100_000)
        #expect(try refusal { _ = try ManifestAssembly.manifest(text) }?.code == .invalidManifest)
    }
}
