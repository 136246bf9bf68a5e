import Testing

@testable import ComponentCatalog

@Suite("The spelling of types")
struct TypeSpellingTests {
    @Test(
        "scalar types have Swift's names, and everything else stays as it is",
        arguments: [
            ("string", "String"), ("int = 5", "Int = 5"), ("[string: [uint8]?]", "[String: [UInt8]?]"),
            ("bytes?", "Data?"), ("date", "Date"), ("(int, a: float) -> bool", "(Int, a: Float) -> Bool"),
            ("[ string : double ]", "[ String : Double ]"), ("Set<int64>", "Set<Int64>"),
            ("Swift.Int", "Swift.Int"), ("A.int", "A.int"), ("int.A", "int.A"), ("(string: A)", "(string: A)"),
            ("`string`", "`string`"), ("strings", "strings"), ("map", "map"), ("Kind = int", "Kind = int"),
            ("String = \"int\"", "String = \"int\""), ("äint", "äint"), ("", ""), ("=", "="),
        ])
    func spelling(written: String, read: String) { #expect(TypeSpelling.swift(written) == read) }
}
