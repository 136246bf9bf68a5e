import Testing

@testable import ModelDrift

@Suite("Differences between copies in Swift")
struct DifferenceTests {
    @Test(
        "one difference is one warning that says what both have",
        arguments: [
            ("var age: Int", "var age: Int32", "1:25: B_User.age is Int32, but Int in User (O.swift:1)"),
            ("var a: String", "var a: String?", "1:25: B_User.a is String?, but String in User (O.swift:1)"),
            ("var a: Int", "", "1:8: B_User lacks a: Int, which User has (O.swift:1)"),
            ("", "var a: Int", "1:25: B_User.a is not in User (O.swift:1)"),
            ("var a = 1", "var a = 2", "1:25: B_User.a has the default 2, but 1 in User (O.swift:1)"),
            (
                "var a = [[Int]]()", "var a: [[Int]] = [[]]",
                "1:25: B_User.a has the default [[]], but [[Int]]() in User (O.swift:1)"
            ),
            ("var a = f()", "var a = g()", "1:25: B_User.a has the default g(), but f() in User (O.swift:1)"),
            ("var a: Int", "var a = 2", "1:25: B_User.a has the default 2, but none in User (O.swift:1)"),
            ("var a = 2", "var a: Int", "1:25: B_User.a has no default, but 2 in User (O.swift:1)"),
            ("var a = Date()", "var a: Day = Date()", "1:25: B_User.a is Day, but Date in User (O.swift:1)"),
            (
                "var a: Int; var b: Int; var c: Int", "var b: Int; var c: Int; var a: Int",
                "1:49: B_User.a comes after c, but first in User (O.swift:1)"
            ),
            (
                "var a: Int", "var a: Int; enum CodingKeys: String, CodingKey { case a = \"years\" }",
                "1:25: B_User.a is encoded as \"years\", but encoded as \"a\" in User (O.swift:1)"
            ),
            (
                "var a: Int; var b = 1",
                "var a: Int; var b = 1; enum CodingKeys: CodingKey { case a }",
                "1:37: B_User.b is not encoded, but encoded as \"b\" in User (O.swift:1)"
            ),
        ])
    func properties(original: String, copy: String, message: String) throws {
        let found = try check(["O.swift": "struct User { \(original) }", "B.swift": "struct B_User     { \(copy) }"])
        #expect(found == ["B.swift:\(message)"])
    }

    @Test(
        "different spellings of the same are no difference",
        arguments: [
            ("var a: [Int]", "var a: Array<Int>"),
            ("var a: [String: Int]?", "var a: Optional<Dictionary<String, Int>>"),
            ("var a: Int", "let a: Swift.Int"), ("var a: (Int)", "@Wrapped public private(set) var a: Int"),
            ("var a: any P", "var a: P"), ("var a, b: Int", "var a: Int\nvar b: Int"),
            ("let (a, b): (Int, String)", "let a: Int; let b: String"), ("var a: Int = 1_000", "var a = 1000"),
            ("var a: Int?", "var a: Int? = nil"), ("var a: [Int] = [ ]", "var a: [Int] = /* none */ []"),
            ("var a: Double", "var a: TimeInterval"), ("var a: Void", "var a: ()"),
            ("var a: (Int) -> Void", "var a: @Sendable (_ value: Int) -> ()"),
            ("var a: Int { didSet { b() } }", "lazy var a: Int"), ("var a: Int", "var a: Int; var b: Int { 1 }"),
            ("var a: Int", "var a: Int; static var b = 1"), ("var a: Int", "var a: Int; func f() { struct C {} }"),
            ("var `class`: Int", "var `class` : Int"),
            ("\n#if os(Linux)\nvar a: Int\n#else\nvar a: Int8\n#endif\n", "var a: Int"),
            ("var a: Int", "var a: Int; enum CodingKeys: String, CodingKey { case a }"),
            ("var a = [Int]()", "var a: [Int] = []"), ("var a: Set<Int> = []", "var a: Set<Int> = .init()"),
            ("var a = Date()", "var a: Date = .init()"), ("var a: [Int: Int] = [:]", "var a = [Int: Int]()"),
            ("var a: Date? = Date()", "var a: Date? = Date.init()"),
            ("var a = URL(string: \"b\")", "var a: URL? = URL(string: \"b\")"),
            ("var a = Reader { nil }", "var a: Reader? = Reader { nil }"),
            ("var a = [\"x\": 1]", "var a: [String: Int] = [\"x\": 1]"), ("var a = -1", "var a: Int = -1"),
        ])
    func spellings(first: String, second: String) throws {
        let found = try check([
            "O.swift": "struct User { \(first) }", "B.swift": "final public class B_User: P { \(second) }",
        ])
        #expect(found == [])
    }

    @Test(
        "cases of enumerations are compared with their values",
        arguments: [
            ("case a, b", "case a", "B_E lacks case b, which E has (O.swift:1)"),
            ("case a(Int)", "case a(String)", "B_E.a is case a(String), but case a(Int) in E (O.swift:1)"),
            ("case a(x: Int)", "case a(y: Int)", "B_E.a is case a(y: Int), but case a(x: Int) in E (O.swift:1)"),
            ("case a, b", "case b, a", "B_E.b comes first, but after a in E (O.swift:1)"),
        ])
    func cases(original: String, copy: String, message: String) throws {
        let found = try check(["O.swift": "enum E { \(original) }", "B.swift": "enum B_E { \(copy) }"])
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix(message) == true, "\(found)")
    }

    @Test(
        "raw values are compared as the compiler gives them",
        arguments: [
            (": Int", "case a, b", ": Int", "case a = 0, b = 0x1", nil),
            (": Int", "case a = 2, b", ": Int", "case a = 2, b = 3", nil),
            (": Int", "case a = 0x0B", ": Int", "case a = 11", nil),
            (": Int", "case a = 0b11", ": Int", "case a = 3", nil),
            (": String", "case a", ": String", "case a = \"a\"", nil),
            (": Int", "case a, b", ": Int", "case a, b = 2", "B_E.b has the raw value 2, but 1 in E (O.swift:1)"),
            (
                ": String", "case a", ": String", "case a = \"b\"",
                "B_E.a has the raw value \"b\", but \"a\" in E (O.swift:1)"
            ),
            ("", "case a", ": P", "case a", nil),
        ] as [(String, String, String, String, String?)])
    func rawValues(type: String, cases: String, otherType: String, otherCases: String, message: String?) throws {
        let found = try check([
            "O.swift": "enum E\(type) { \(cases) }", "B.swift": "enum B_E\(otherType) { \(otherCases) }",
        ])
        #expect(
            found.map { $0.split(separator: ": ", maxSplits: 1).last.map(String.init) } == (message.map { [$0] } ?? []))
    }

    @Test("the kinds of types and of raw values, and superclasses, are compared")
    func declarations() throws {
        let found = try check([
            "A.swift": """
            struct User { var a: Int }
            enum State: Int { case on }
            class Base {}
            class Person: Base { var a: Int }
            """,
            "B.swift": """
            enum B_User { case a }
            enum B_State: String { case on }
            class B_Person: Codable { var a: Int }
            """,
        ])
        #expect(
            found == [
                "B.swift:1:6: B_User is an enum, but a struct in User (A.swift:1)",
                "B.swift:2:6: B_State has raw values of String, but of Int in State (A.swift:2)",
                "B.swift:2:29: B_State.on has the raw value \"on\", but 0 in State (A.swift:2)",
                "B.swift:3:7: B_Person has no superclass, but the superclass Base in Person (A.swift:4)",
            ])
    }

    @Test(
        "no change of a copy goes unnoticed",
        arguments: [
            ("Int = 1", "Int = 2"), ("Int = 1", "Int8 = 1"), ("Int = 1", "Int"), ("[String]?", "[String]"),
            ("[String]?", "[Substring]?"), ("\"x\"", "\"y\""), ("\"x\"", "1"), ("(Int) -> Void", "(Int) -> Int"),
            ("(Int) -> Void", "(Int) async -> Void"), ("(Int) -> Void", "((Int) -> Void)?"), ("= .on", "= .off"),
            ("E = .on", "E? = .on"), ("on = 1", "on = 2"), ("on = 1, off", "off = 1, on"), ("on = 1, off", "on = 1"),
            ("off", "off, more"), ("var c = \"x\"", ""), ("var a: Int = 1", ""), ("enum E: Int", "enum E: UInt"),
            ("var a", "var aa"), ("struct B_X", "enum B_X"), ("enum E: Int", "struct E"),
            ("case leaf(Int)", "case leaf"),
            ("(x: Int, Int)", "(x: Int, y: Int)"), ("\"k\"", "\"l\""), ("case a = \"k\"", "case a"),
        ])
    func changes(old: String, new: String) throws {
        let original = """
            struct A_X {
                var a: Int = 1
                let b: [String]?
                var c = "x"
                var d: (Int) -> Void
                var e: E = .on
                var f: (x: Int, Int)
                enum E: Int { case on = 1, off }
                enum Tree { case leaf(Int) }
                enum CodingKeys: String, CodingKey { case a = "k", b, c, e, f }
            }
            """
        let copy = original.replacing("A_X", with: "B_X")
        #expect(try check(["A.swift": original, "B.swift": copy]) == [])
        try #require(copy.contains(old))
        #expect(try !check(["A.swift": original, "B.swift": copy.replacing(old, with: new)]).isEmpty)
    }

    @Test("what a copy lacks is told in the order of the original")
    func severalMissing() throws {
        let found = try check([
            "A.swift": "struct User {\n    var b: Int\n    var a: Int\n}", "B.swift": "struct B_User {}",
        ])
        #expect(
            found == [
                "B.swift:1:8: B_User lacks b: Int, which User has (A.swift:2)",
                "B.swift:1:8: B_User lacks a: Int, which User has (A.swift:3)",
            ])
    }

    @Test("types and defaults that name copies of one model are the same")
    func references() throws {
        let copies = ["A", "B"].map { module in
            """
            typealias \(module)_ID = Int
            class \(module)_Base {}
            class \(module)_Address: \(module)_Base { var street: String; enum Kind { case home } }
            struct \(module)_User {
                struct Name { var first: String }
                var addresses: [String: [\(module)_Address]]
                var name: \(module == "A" ? "Name" : "B_User.Name")
                var kind: \(module)_Address.Kind = \(module == "A" ? ".home" : "B_Address.Kind.home")
                var closure: (\(module)_Address) -> Void
                var meta: \(module)_Address.Type
                let function: @convention(c) (\(module)_ID) throws(\(module)_Base) -> \(module)_Address
                var list: [\(module)_Address] = \(module == "A" ? "[]" : "[B_Address]()")
                var id: \(module == "A" ? "A_ID" : "Int")
            }
            """
        }
        #expect(try check(["A.swift": copies[0], "B.swift": copies[1]]) == [])
    }

    @Test("a typealias holds in all files of its module, and not where a nearer one has its name")
    func aliases() throws {
        let found = try check([
            "A/ID.swift": "typealias ID = Int", "A/Models/User.swift": "struct User { var id: ID; var b: Int }",
            "B/ID.swift": "typealias ID = String", "B/Models/User.swift": "struct B_User { var id: ID; var b: Other }",
            "B/Other.swift": "#if DEBUG\ntypealias Other = Int\n#else\ntypealias Other = Int8\n#endif",
            "C/ID.swift": "typealias CID = Int", "C/Sources/ID.swift": "typealias ID = CID",
            "C/Sources/User.swift": "struct C_User { var id: ID; var b: Int }",
        ])
        #expect(
            found == [
                "B/Models/User.swift:1:21: B_User.id is ID, but ID in User (A/Models/User.swift:1), "
                    + "which is another type there"
            ])
    }

    @Test("types of modules that are not copies of one model differ")
    func unpairedTypes() throws {
        let found = try check([
            "A.swift": "struct User { var address: A_Address }",
            "B.swift": "struct B_User { var address: B_Address }",
        ])
        #expect(found == ["B.swift:1:21: B_User.address is B_Address, but A_Address in User (A.swift:1)"])
    }
}
