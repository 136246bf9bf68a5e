import Testing

@Suite("Macros for page modules")
struct PageModuleMacroTests {
    @Test("a page module is a selector whose note names it, and which answers the node of its view")
    func expansion() {
        let expansion = Expansion(
            of: """
                @LinkClass final class Video {
                    @PageModule("video.list") func list(_ context: PageContext) -> some View {}
                    @PageModule("video.film")
                    static func film(in context: PageKit.PageContext, data: Film) async throws -> some View {}
                }
                """)
        #expect(expansion.diagnostics == [])
        for words in [
            "let _view = _target.list(_argument0)",
            "let _view = try await Video.film(in: _argument0, data: _argument1)",
            "return ComponentKit.__ModelCoding.payload(_view.node)",
        ] {
            #expect(expansion.code.contains(words), "\(expansion.code)")
        }
        let note = expansion.notes.first ?? ""
        for words in [#""result":"ViewNode""#, #""pageModule":{"name":"video.list"}"#] {
            #expect(note.contains(words), "\(note)")
        }
    }

    @Test("a page module that answers a truth value is a condition")
    func condition() {
        let expansion = Expansion(
            of: """
                @LinkClass final class Account {
                    @PageModule("account.signedIn") func isSignedIn(_ context: PageContext) -> Bool { true }
                }
                """)
        #expect(expansion.diagnostics == [])
        #expect(expansion.code.contains("let _result: Bool = _target.isSignedIn(_argument0)"), "\(expansion.code)")
        let note = expansion.notes.first ?? ""
        for words in [#""result":"Bool""#, #""pageModule":{"name":"account.signedIn"}"#] {
            #expect(note.contains(words), "\(note)")
        }
    }

    @Test(
        "functions that cannot be one",
        arguments: [
            ("@PageModule(\"a b\") func a(c: PageContext) -> some View {}", "2:13 the page module \"a b\" is invalid"),
            ("@PageModule(name) func a(c: PageContext) -> some View {}", "2:13 "),
            ("@PageModule(\"a\") func a() -> some View {}", "2:24 a page module takes a PageContext"),
            ("@PageModule(\"a\") func a(c: Int) -> some View {}", "2:24 a page module takes a PageContext"),
            (
                "@PageModule(\"a\") func a(c: PageContext, d: D, e: E) -> some View {}",
                "2:24 a page module takes a PageContext"
            ),
            ("@PageModule(\"a\") func a(c: PageContext) {}", "2:23 a page module returns some View"),
            ("@PageModule(\"a\") func a(c: PageContext) -> Void {}", "2:23 a page module returns some View"),
            (
                "@PageModule(\"a\") func a(c: PageContext) -> [String] {}",
                "2:44 a page module returns some View, or Bool if it is a condition, and not [String]"
            ),
            (
                "@PageModule(\"a\") func a(c: PageContext) -> some Hashable {}",
                "2:44 a page module returns some View, or Bool if it is a condition, and not some Hashable"
            ),
            (
                "@PageModule(\"a\") @Route(\"/a\") func a(c: PageContext) -> some View {}",
                "2:18 a page module can't have @Route: use a function of its own"
            ),
        ])
    func refused(member: String, message: String) {
        let diagnostics = Expansion(of: "@LinkClass final class Video {\n\(member)\n}").diagnostics
        #expect(diagnostics.count == 1 && diagnostics[0].hasPrefix(message), "\(diagnostics)")
    }

    @Test(
        "types that may be views are left to the compiler",
        arguments: ["some View", "any PageKit.View", "some Card", "some View & Sendable", "Text", "Table<Row>"])
    func mayBeViews(type: String) {
        let source = "@LinkClass final class Video {\n@PageModule(\"a\") func a(c: PageContext) -> \(type) {}\n}"
        #expect(Expansion(of: source).diagnostics == [])
    }

    @Test(
        "misplaced attributes",
        arguments: [
            (
                "struct S { @PageModule(\"a\") func a(c: PageContext) -> some View {} }",
                "1:12 @PageModule has no effect outside a class marked @LinkClass or a protocol marked @LinkService"
            ),
            (
                "@LinkService(\"a/1\") protocol S { @PageModule(\"a\") func a(c: PageContext) throws -> Int }",
                "1:34 @PageModule has no effect in the protocol S: attach it to a function of a class marked @LinkClass"
            ),
        ])
    func misplaced(source: String, message: String) {
        #expect(Expansion(of: source).diagnostics.contains(message), "\(Expansion(of: source).diagnostics)")
    }
}
