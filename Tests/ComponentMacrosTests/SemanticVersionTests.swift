import Testing

@testable import ComponentMacros

@Suite("Versions")
struct SemanticVersionTests {
    @Test(
        "versions of Semantic Versioning are taken",
        arguments: [
            "0.0.0", "1.2.3", "10.20.30", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-0.3.7", "1.0.0-x-y-z.--", "1.0.0--",
            "1.0.0-0a", "9223372036854775807.0.0",
        ])
    func good(_ text: String) {
        #expect(SemanticVersion.isValid(text))
    }

    @Test(
        "everything else is not",
        arguments: [
            "", "1", "1.0", "1.0.0.0", "v1.0.0", "01.0.0", "1.0.-1", "+1.0.0", "1..0", "1.0.0-", "1.0.0-a..b",
            "1.0.0-01", "1.0.0-ä", "1.0.0+build", "1.0.0 ", "１.0.0", "9223372036854775808.0.0",
        ])
    func bad(_ text: String) {
        #expect(!SemanticVersion.isValid(text))
    }
}
