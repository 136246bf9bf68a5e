import TestSupport
import Testing

@Suite("What the compiler says about source with #manifest")
struct ManifestSnippetTests {
    /// A file with a manifest from line 3 on, and the class that it names.
    private func source(_ json: String, rest: String = Self.linkClass) -> String {
        "import ComponentKit\n\n#manifest(\"\"\"\n\(json)\n\"\"\")\n\n\(rest)\n"
    }

    private static let manifest = #"""
        { "name": "Greeter", "version": "1.0.0",
          "classes": [{ "name": "GreeterLink", "selectors": [{ "name": "greet" }] }] }
        """#

    private static let linkClass = """
        final class GreeterLink: LinkClass {
            init(_ context: ComponentContext) {}
            static let methods: [LinkMethod<GreeterLink>] = [.method("greet") { _, _ in "Hello!" }]
        }
        """

    @Test("a component that is all right compiles")
    func good() async throws {
        let diagnostics = try await Snippet.diagnostics(of: source(Self.manifest))
        #expect(diagnostics == [])
    }

    @Test("broken JSON is an error at its line")
    func brokenJSON() async throws {
        let broken = Self.manifest.replacing("\"classes\": [", with: "\"classes\" [")
        let diagnostics = try await Snippet.diagnostics(of: source(broken))
        #expect(
            diagnostics == [
                Snippet.Diagnostic(
                    line: 5,
                    #"invalid JSON at line 2, column 13 of the text: expected ":" after the key "classes", found "[""#)
            ])
    }

    @Test("every problem of a manifest is an error at its own line")
    func problems() async throws {
        let json = """
            { "name": "Greeter", "version": "1",
              "requires": [
                { "component": "Account", "version": "latest" },
                { "class": "HostLink", "version": "1.0.0" } ],
              "clases": [] }
            """
        let diagnostics = try await Snippet.diagnostics(of: source(json))
        #expect(
            diagnostics == [
                Snippet.Diagnostic(
                    line: 4, #""version" must be MAJOR.MINOR.PATCH such as "1.0.0" or "1.0.0-beta.1", found "1""#),
                Snippet.Diagnostic(
                    line: 6, #""version" must be a range such as ">=1.0.0 <2.0.0" or "1.2.0", found "latest""#),
                Snippet.Diagnostic(line: 7, #"only a component has a version: remove "version" here"#),
                Snippet.Diagnostic(
                    line: 8,
                    #"unknown key "clases" in the manifest: the nearest known key is "classes"; a key of your own "#
                        + #"begins with "x-""#),
            ])
    }

    @Test("a class that is not there is an error where the manifest stands")
    func missingClass() async throws {
        let diagnostics = try await Snippet.diagnostics(of: source(Self.manifest, rest: ""))
        #expect(
            diagnostics == [
                Snippet.Diagnostic(line: 3, "cannot find 'GreeterLink' in scope", isInExpansion: true),
                Snippet.Diagnostic(
                    line: 3, "generic parameter 'Target' could not be inferred", isInExpansion: true,
                    notes: [
                        // In a file of ComponentKit.
                        Snippet.Diagnostic(line: 0, "in call to function 'linkClass(module:name:type:instances:)'")
                    ]),
            ])
    }

    @Test("an error beside the macro has the compiler's notes and what it would change")
    func fixIt() async throws {
        let rest = Self.linkClass + "\n\nfunc count() -> Int {\n    var sum = 1\n    return sum\n}"
        let diagnostics = try await Snippet.diagnostics(of: source(Self.manifest, rest: rest))
        #expect(
            diagnostics == [
                Snippet.Diagnostic(
                    line: 14, "variable 'sum' was never mutated; consider changing to 'let' constant",
                    fixIts: [Snippet.Diagnostic.FixIt(line: 14, old: "var", new: "let")])
            ])
    }

    @Test("the language settings are those of the package")
    func settings() async throws {
        let diagnostics = try await Snippet.diagnostics(of: "protocol Animal {}\nfunc feed(_ animal: Animal) {}\n")
        #expect(diagnostics.map(\.line) == [2])
        #expect(diagnostics.flatMap(\.fixIts).map(\.new) == ["any Animal"])
    }

    @Test("a manifest inside a type is refused where it stands")
    func insideType() async throws {
        let inside = "import ComponentKit\n\nenum Box {\n    #manifest(\"{}\")\n}\n"
        let diagnostics = try await Snippet.diagnostics(of: inside)
        #expect(
            diagnostics == [
                Snippet.Diagnostic(
                    line: 4,
                    "#manifest stands inside another declaration: move it to file scope, outside of every type and "
                        + "function")
            ])
    }
}
