import Testing

@testable import SystemSupport

@Suite("Texts that are compared by their bytes")
struct ExactTextTests {
    /// Spellings that Swift takes as equal.
    static let twins: [(String, String)] = [
        ("caf\u{E9}", "cafe\u{301}"), ("\u{212A}", "K"), ("\u{37E}", ";"), ("\u{212B}", "A\u{30A}"),
        ("\u{1E69}", "s\u{307}\u{323}"),
    ]

    @Test("two spellings of a text are different texts", arguments: twins)
    func different(first: String, second: String) {
        #expect(first == second, "this is what the type is for")
        #expect(ExactText(first) != ExactText(second))
        #expect(!first.isExactly(second))
        #expect(!Substring(first).isExactly(second))
        #expect(Set([ExactText(first), ExactText(second)]).count == 2)
        #expect((ExactText(first) < ExactText(second)) != (ExactText(second) < ExactText(first)))
        #expect(![first].containsExactly(second))
        #expect("x/\(first)".hasExactSuffix("/\(first)") && !"x/\(first)".hasExactSuffix("/\(second)"))
        #expect("\(first)/x".hasExactPrefix("\(first)/") && !"\(first)/x".hasExactPrefix("\(second)/"))
    }

    @Test(
        "equal bytes are equal texts with equal hashes", arguments: ["", "a", "caf\u{E9}", "longer than fifteen bytes"])
    func same(text: String) {
        let copy = String(decoding: Array(text.utf8), as: UTF8.self)
        #expect(ExactText(text) == ExactText(copy[...]))
        #expect(Set([ExactText(text)]).contains(ExactText(copy)))
        #expect(text.isExactly(copy))
    }

    @Test("characters are found whatever stands beside them, as the system finds them")
    func marks() {
        #expect(!"/\u{301}a".hasPrefix("/") && "/\u{301}a".hasExactPrefix("/"))
        #expect(!"a\u{600}.so".hasSuffix(".so") && "a\u{600}.so".hasExactSuffix(".so"))
        #expect("a/\u{301}b".hasASCII("/") && !"ab".hasASCII("/"))
        #expect("a/\u{301}b//c".exactParts(between: "/") == ["a", "\u{301}b", "c"])
        #expect("a:\u{301}b::".exactParts(between: ":", omittingEmpty: false) == ["a", "\u{301}b", "", ""])
    }

    @Test("the order is that of the bytes")
    func order() {
        #expect(["z", "\u{E9}", "e\u{301}", "B", "a"].sortedExactly() == ["B", "a", "e\u{301}", "z", "\u{E9}"])
        #expect(["ab", "b\0", "", "b", "a", ""].sortedExactly() == ["", "", "a", "ab", "b", "b\0"])
    }
}

@Suite("Absolute paths")
struct AbsolutePathTests {
    @Test(
        "a relative path is below the directory",
        arguments: [
            ("a", "/d/a"), ("./a", "/d/a"), (".//./a/b", "/d/a/b"), (".", "/d"), ("./", "/d"), ("../a", "/d/../a"),
            (".a", "/d/.a"), ("/a", "/a"), ("/\u{301}a", "/\u{301}a"), ("", ""),
        ])
    func below(path: String, absolute: String) { #expect(AbsolutePath.of(path, below: "/d") == absolute) }

    @Test("the root has no slash of its own")
    func root() { #expect(AbsolutePath.of("a", below: "/") == "/a") }
}
