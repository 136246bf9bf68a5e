import CHSLink
import Testing

@testable import ComponentCatalog

@Suite("The notes of a manifest")
struct ManifestAssemblyTests {
    static let component = (type: HSLINK_NOTE_COMPONENT, text: #"{"name": "N", "version": "1.0.0"}"#)

    private func toolchain(_ text: String) -> (type: Int, text: String) { (HSLINK_NOTE_TOOLCHAIN, text) }

    @Test("ABI and compiler come from the note about the toolchain, in any order")
    func toolchain() throws {
        let manifest = try ManifestAssembly.manifest(
            toolchain(#"{"abi": "1.2", "compiler": "6.3.1", "more": 1}"#), Self.component, (99, "no JSON"))
        #expect(manifest.abi == Manifest.ABIVersion(major: 1, minor: 2))
        #expect(manifest.abi?.description == "1.2")
        #expect(manifest.compiler == "6.3.1")
    }

    @Test("several notes about the toolchain complete each other")
    func severalToolchains() throws {
        let manifest = try ManifestAssembly.manifest(
            Self.component, toolchain(#"{"abi": "1.0"}"#), toolchain(#"{"abi": "1.0", "compiler": "6.3.1"}"#))
        #expect(manifest.abi == Manifest.ABIVersion(major: 1, minor: 0))
        #expect(manifest.compiler == "6.3.1")
    }

    @Test(
        "notes about the toolchain have rules",
        arguments: [
            (#"{"abi": "1"}"#, #"abi: expected two numbers in the form "1.0", found "1""#),
            (#"{"abi": "1.0.0"}"#, "abi: expected two numbers"),
            (#"{"abi": "70000.0"}"#, "abi: expected two numbers"),
            (#"{"abi": 1.0}"#, "abi: expected string, found double"),
            (#"{"abi": "2.0"}"#, "abi: expected one version per file, found 1.0 and 2.0"),
            (#"{"compiler": "6.2"}"#, #"compiler: expected one compiler per file, found "6.3.1" and "6.2""#),
            ("nothing", "the note about the toolchain is not JSON"),
        ])
    func toolchainMistakes(json: String, message: String) throws {
        let error = try refusal {
            _ = try ManifestAssembly.manifest(
                Self.component, toolchain(#"{"abi": "1.0", "compiler": "6.3.1"}"#), toolchain(json))
        }
        #expect(error?.code == .invalidManifest)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test(
        "a meaningless key is refused with a suggestion",
        arguments: [
            (
                #""verison": 1"#,
                #"expected "version", or a custom key that begins with "x-", found the key "verison""#
            ),
            (#""clases": []"#, #"expected "classes", or a custom key"#),
            (#""classes": [{"name": "A", "instance": "shared"}]"#, #"classes[0]: expected "instances", or"#),
            (
                #""classes": [{"name": "A", "selectors": [{"name": "a", "qick": true}]}]"#,
                #"classes[0].selectors[0]: expected "quick", or"#
            ),
            (#""requires": [{"class": "A", "optinal": true}]"#, #"requires[0]: expected "optional", or"#),
            (
                #""services": [{"name": "a/1", "protocol": "A", "arguments": "B", "argument": "B"}]"#,
                #"services[0]: expected "arguments", or"#
            ),
            (#""models": [{"name": "A", "fields": {}, "errors": true}]"#, #"models[0]: expected "error", or"#),
            (#""somethingElse": 1"#, "expected one of classes, configuration, events, layer, models, module, name, "),
            (#""x": 1"#, "expected one of "),
        ])
    func unknownKeys(member: String, message: String) throws {
        let text = #"{"name": "N", "version": "1.0.0", \#(member)}"#
        let error = try #require(try refusal { _ = try ManifestAssembly.manifest(text) })
        #expect(error.code == .invalidManifest)
        #expect(error.message.contains(message), "\(error)")
        // The header of a later revision may have more.
        let later = toolchain(#"{"abi": "\#(HSLINK_ABI_MAJOR).\#(HSLINK_ABI_MINOR + 1)"}"#)
        #expect(try ManifestAssembly.manifest((HSLINK_NOTE_COMPONENT, text), later).name == "N")
        let same = toolchain(#"{"abi": "\#(HSLINK_ABI_MAJOR).\#(HSLINK_ABI_MINOR)"}"#)
        #expect(try refusal { _ = try ManifestAssembly.manifest((HSLINK_NOTE_COMPONENT, text), same) } != nil)
    }

    @Test("separate notes are checked in the same way, and custom keys are allowed")
    func ownNotes() throws {
        let linkClass = #"{"module": "N", "name": "A", "selectors": [{"name": "a", "parameter": {}}]}"#
        let error = try #require(
            try refusal { _ = try ManifestAssembly.manifest(Self.component, (HSLINK_NOTE_LINK_CLASS, linkClass)) })
        #expect(error.message.contains(#"selectors[0]: expected "parameters", or"#), "\(error)")
        let free = linkClass.replacing("\"parameter\"", with: "\"x-parameter\"")
        #expect(
            try ManifestAssembly.manifest(Self.component, (HSLINK_NOTE_LINK_CLASS, free)).classes.map(\.name) == ["A"])
    }

    @Test("a file without a component's note is not a component")
    func noComponent() throws {
        #expect(try refusal { _ = try ManifestAssembly.manifest() }?.code == .noManifest)
        #expect(try refusal { _ = try ManifestAssembly.manifest(toolchain("{}")) }?.code == .noManifest)
    }

    @Test("classes without a component say what is missing")
    func classesAlone() throws {
        let linkClass = #"{"module": "Video", "name": "VideoLink"}"#
        let error = try #require(try refusal { _ = try ManifestAssembly.manifest((HSLINK_NOTE_LINK_CLASS, linkClass)) })
        #expect(error.code == .noManifest)
        #expect(
            error.message == #"found the note about the class "VideoLink" in module "Video", but none about the "#
                + "component; in Swift, mark one type of the module with @Component")
    }

    @Test("two components in one file are refused by their names")
    func twoComponents() throws {
        let error = try #require(
            try refusal {
                _ = try ManifestAssembly.manifest(
                    Self.component, (HSLINK_NOTE_COMPONENT, #"{"name": "M", "version": "1.0.0"}"#))
            })
        #expect(error.code == .severalManifests)
        #expect(error.message.contains("found 2 (N, M)"), "\(error)")
    }
}
