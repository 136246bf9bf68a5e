import EMAccountContract
import Testing

@testable import EMAccount

@Suite("Names of accounts")
struct AccountNameTests {
    @Test(
        "spaces around a name are removed, and it is composed",
        arguments: [
            ("Ada", "Ada"), ("  Ada\t\n", "Ada"), ("Ada Lovelace", "Ada Lovelace"), ("Zoe\u{308}", "Zo\u{EB}"),
            ("艾达", "艾达"), (String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
        ])
    func text(given: String, text: String) throws {
        let name = try AccountName(given)
        #expect(Array(name.text.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(
        "names that differ only in case or Unicode form are equal",
        arguments: [
            ("Ada", "ADA"), ("ada", "aDa "), ("Zoë", "ZOE\u{308}"), ("Straße", "STRASSE"), ("ﬁne", "FINE"),
            ("Ａｄａ", "ada"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ])
    func same(one: String, other: String) throws {
        #expect(try AccountName(one).key == AccountName(other).key)
    }

    @Test("other names differ", arguments: [("Ada", "Adb"), ("Zoë", "Zoe"), ("a b", "ab")])
    func different(one: String, other: String) throws {
        #expect(try AccountName(one).key != AccountName(other).key)
    }

    @Test(
        "an invalid name is refused without repeating it",
        arguments: [
            "", "   ", "\n", String(repeating: "x", count: 65), "a\u{0}b", "a\u{1B}[31m", "a\u{202E}b", "a\u{200B}b",
            "a\nb", "a\u{2028}b", "\u{FEFF}", "a\u{E000}",
        ])
    func refused(given: String) { expectRefusal(of: given) }

    // No argument, because those are written to the log.
    @Test("so is a name of ten million characters")
    func enormous() { expectRefusal(of: String(repeating: "x", count: 10_000_000)) }

    private func expectRefusal(of given: String) {
        let error = #expect(throws: AccountError.self) { try AccountName(given) }
        guard case .invalidName(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.utf8.count < 100)
    }
}
