import Testing

@testable import ComponentCatalog

@Suite("Page modules in manifests")
struct PageModuleManifestTests {
    /// A manifest with one selector that has these members.
    private static func text(_ members: String) -> String {
        #"{"name": "N", "version": "1.0.0", "classes": [{"name": "L", "selectors": [{"name": "a", \#(members)}]}]}"#
    }

    @Test("stand in manifests, and are written as they were read")
    func manifest() throws {
        let manifest = try ManifestAssembly.manifest(
            Self.text(#""parameters": {"context": "PageContext"}, "pageModule": {"name": "a.b"}"#))
        #expect(manifest.classes[0].selectors[0].pageModule?.name == "a.b")
        #expect(try Manifest(manifest.json) == manifest)
    }

    @Test(
        "with a mistake refuse the manifest",
        arguments: [
            (#""parameters": {"c": "C"}, "pageModule": true"#, "pageModule: expected map, found true"),
            (#""parameters": {"c": "C"}, "pageModule": {}"#, "pageModule.name: expected string, found nothing"),
            (
                #""parameters": {"c": "C"}, "pageModule": {"name": "a b"}"#,
                #"pageModule.name: expected 1 to 128 letters, digits, "_", "." or "-""#
            ),
            (
                #""parameters": {"c": "C"}, "pageModule": {"name": "a", "id": 1}"#,
                #"pageModule: expected one of name, or a custom key"#
            ),
            (
                #""parameters": {"c": "C"}, "pageModule": {"name": "a"}, "routes": [{"pattern": "/a"}]"#,
                "pageModule: expected a selector that has no routes, handles no event and is no interceptor"
            ),
            (
                #""pageModule": {"name": "a"}"#,
                "pageModule: expected a selector with one or two parameters: the context, and the data, found 0"
            ),
        ])
    func broken(members: String, message: String) throws {
        let error = try #require(try refusal { _ = try ManifestAssembly.manifest(Self.text(members)) })
        #expect(error.code == .invalidManifest)
        #expect(error.message.contains("classes[0].selectors[0].\(message)"), "\(error)")
    }
}
