import Testing

@testable import ComponentCatalog

@Suite("Versions and their ranges")
struct VersionTests {
    @Test(
        "a version is read and written",
        arguments: [
            "0.0.0", "1.2.3", "10.20.30", "18446744073709551615.0.1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-0.3.7",
            "1.0.0-x.7.z.92", "1.0.0--.-", "1.0.0-beta+exp.sha.5114f85", "1.0.0+20130313144700", "1.0.0+001",
            "1.0.0-0a",
        ])
    func text(_ text: String) {
        #expect(Version(text)?.description == text)
    }

    @Test(
        "an invalid version is refused",
        arguments: [
            "", "1", "1.2", "1.2.3.4", "01.2.3", "1.02.3", "1.2.03", "v1.2.3", "1.2.x", "1..3", ".2.3", "1.2.",
            "1.2.3-", "1.2.3+",
            "1.2.3-+a", "1.2.3-a..b", "1.2.3-01", "1.2.3-ä", "1.2.3+a+b", " 1.2.3", "1.2.3 ", "-1.2.3", "+1.2.3",
            "18446744073709551616.0.0", "1.0.0-a_b", "١.0.0",
        ])
    func noVersion(_ text: String) {
        #expect(Version(text) == nil)
    }

    @Test("the order is that of Semantic Versioning 2.0.0, section 11")
    func order() throws {
        let ascending = try [
            "0.9.9", "1.0.0-0", "1.0.0-9", "1.0.0-10", "1.0.0-99999999999999999999999", "1.0.0-Alpha", "1.0.0-alpha",
            "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
            "1.0.1", "1.2.0", "1.10.0", "2.0.0",
        ].map { try #require(Version($0)) }
        for (left, first) in ascending.enumerated() {
            for (right, second) in ascending.enumerated() {
                #expect((first < second) == (left < right), "\(first) \(second)")
                #expect((first == second) == (left == right), "\(first) \(second)")
            }
        }
    }

    @Test("build metadata does not count")
    func build() throws {
        let one = try #require(Version("1.0.0+a"))
        let other = try #require(Version("1.0.0+b"))
        #expect(one == other && !(one < other) && one.hashValue == other.hashValue)
    }

    @Test(
        "a range contains some versions and not others",
        arguments: [
            (">=1.0.0 <2.0.0", ["1.0.0", "1.99.0"], ["0.9.9", "2.0.0", "2.0.0-beta", "1.5.0-beta"]),
            ("1.2.0", ["1.2.0", "1.3.0"], ["1.1.9", "2.0.0", "1.2.0-rc"]),
            ("0.2.0", ["0.2.0", "0.9.0"], ["0.1.0", "1.0.0"]),
            ("=1.2.0", ["1.2.0", "1.2.0+x"], ["1.2.1", "1.1.9"]),
            (">1.2.0", ["1.2.1"], ["1.2.0"]),
            ("<=1.2.0", ["1.2.0", "0.0.0"], ["1.2.1", "1.2.0-rc"]),
            (">=2.0.0-alpha", ["2.0.0-alpha", "2.0.0-beta", "2.0.0", "3.0.0"], ["1.9.9", "3.0.0-alpha"]),
            ("  >= 1.0.0   < 1.1.0 ", ["1.0.5"], ["1.1.0"]),
            (">=2.0.0 <1.0.0", [], ["0.5.0", "1.5.0", "2.5.0"]),
        ])
    func range(text: String, inside: [String], outside: [String]) throws {
        let range = try #require(VersionRange(text))
        for version in inside { #expect(range.contains(try #require(Version(version))), "\(version)") }
        for version in outside { #expect(!range.contains(try #require(Version(version))), "\(version)") }
    }

    @Test(
        "an invalid range is refused",
        arguments: [
            "", " ", "1.2", "^1.2.0", "~1.2.0", ">=", "=>1.0.0", "==1.0.0", "1.0.0 - 2.0.0", "1.0.0 || 2.0.0", "*",
            ">=1.0.0,<2.0.0",
            "18446744073709551615.0.0", "<>1.0.0",
        ])
    func noRange(_ text: String) {
        #expect(VersionRange(text) == nil)
    }

    @Test(
        "a range is written with its operators",
        arguments: [
            ("1.2.0", ">=1.2.0 <2.0.0"), (">= 1.0.0 <2.0.0", ">=1.0.0 <2.0.0"), ("=1.0.0-a", "=1.0.0-a"),
        ])
    func description(text: String, description: String) {
        #expect(VersionRange(text)?.description == description)
    }
}
