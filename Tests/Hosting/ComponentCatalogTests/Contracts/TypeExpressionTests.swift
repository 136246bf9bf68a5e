import Testing

@testable import ComponentCatalog

@Suite("Types as written in Swift")
struct TypeExpressionTests {
    @Test(
        "equal meanings are equal",
        arguments: [
            ("Int", " Swift.Int "), ("String?", "Optional<String>"), ("String!", "Swift.Optional<String>"),
            ("[Int]", "Array<Int>"), ("[String: [Track]?]", "Dictionary<String, Optional<Array<Track>>>"),
            ("[String:Int]", "Swift.Dictionary < Swift.String , Int >"), ("Void", "()"), ("((Int))", "Int"),
            ("Date", "Foundation.Date"), ("`default`", "default"), ("(Int, String)", "( Int,String )"),
            ("@escaping @Sendable (String) -> Void", "(_ name: String) -> ()"),
            ("(Int) async throws -> Int", "(Int) async throws(any Error) -> Int"),
            ("() throws(Never) -> Int", "() -> Int"),
            ("(@MainActor () -> Void)?", "Optional<() -> Void>"), ("any Shape & Round", "any Round & Shape"),
            ("Outer.Inner", "Outer . Inner"), ("any Any", "Any"), ("inout Int", "Int"),
            ("@convention(c) (Int) -> Int", "(Int) -> Int"), ("Int...", "Int..."),
            ("list of strings", "listof strings"),
            ("Page<User?>", "Page<Optional<User>>"), ("String??", "Optional<String?>"),
        ])
    func equal(_ left: String, _ right: String) {
        #expect(TypeExpression(left) == TypeExpression(right))
    }

    @Test(
        "different meanings are different",
        arguments: [
            ("Int", "Int?"), ("[Int]", "[Int?]"), ("[Int]?", "[Int?]"), ("(a: Int, b: Int)", "(b: Int, a: Int)"),
            ("(Int) -> Void", "(Int) async -> Void"), ("() -> Int", "() throws -> Int"), ("any P", "P"),
            ("[String: Int]", "[Int: String]"), ("A.B", "B"), ("string", "String"), ("Page<A>", "Page<B>"),
            ("() throws(A) -> Int", "() throws(B) -> Int"), ("String?", "String??"), ("(Int, Int)", "Int"),
        ])
    func different(_ left: String, _ right: String) {
        #expect(TypeExpression(left) != TypeExpression(right))
    }

    @Test(
        "a text that is not a type is compared as text",
        arguments: [
            "", "[", "]", "Int]", "(Int", "<", "A<", "A<B", "->", "Int ->", "[Int:", "@", "any", "A..B", "äß-%", "`",
            "``", "a b c", "?",
        ])
    func noType(_ text: String) {
        #expect(TypeExpression(text) == .text(String(text.filter { !$0.isWhitespace })) || text == "any")
        #expect(TypeExpression(text) == TypeExpression(" \(text) "))
    }

    @Test(
        "an unterminated text does no harm",
        arguments: ["[", "(", "A<", "?", "Int?", "any ", "@a ", "()->", "A.", "[[String:", "A&", "(("])
    func hostile(_ piece: String) {
        let text = String(repeating: piece, count: 10_000)
        #expect(TypeExpression(text) == .text(String(text.filter { !$0.isWhitespace })))
        // Short enough to be parsed, but too deep.
        let short = String(repeating: piece, count: 500 / piece.utf8.count) + "Int"
        #expect(TypeExpression(short) == TypeExpression(short + " "))
    }

    @Test("a text too long for a type is compared as text")
    func long() {
        let most = "A<" + String(repeating: "B", count: 509) + ">"
        #expect(TypeExpression(most) != .text(most))
        #expect(TypeExpression("\(most)?") == .text("\(most)?"))
    }

    @Test(
        "a default follows the first equals sign outside brackets",
        arguments: [
            ("Int = 10", "Int ", " 10"), ("Int", "Int", nil),
            ("(Int) -> Bool = { $0 == 1 }", "(Int) -> Bool ", " { $0 == 1 }"),
            ("[String: Int] = [\"a=b\": 1]", "[String: Int] ", " [\"a=b\": 1]"), ("A<B> = .c", "A<B> ", " .c"),
            ("=", "", ""),
            ("", "", nil),
        ])
    func defaults(text: String, type: String, standard: String?) {
        #expect(WrittenType.split(text).type == type)
        #expect(WrittenType.split(text).standard == standard)
    }
}
