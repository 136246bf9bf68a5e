import ComponentHost
import Testing

@testable import ComponentMacros

@Suite("Ranges of versions")
struct VersionRangeTests {
    @Test(
        "a range that hosts read is taken",
        arguments: [
            "1.2.0", ">=1.0.0 <2.0.0", ">1.0.0", "<=1.0.0", "=1.0.0", ">= 1.0.0", "  >=1.0.0   <2.0.0-beta ",
            "1.0.0 1.1.0", "<  2.0.0",
        ])
    func good(_ text: String) {
        #expect(ComponentMacros.VersionRange.isValid(text))
        #expect(ComponentHost.VersionRange(text) != nil)
    }

    @Test(
        "one that they refuse is not",
        arguments: [
            "", " ", ">=", "1", "1.0", "~>1.0.0", "^1.0.0", "==1.0.0", "=>1.0.0", "<>1.0.0", ">=1.0.0,<2.0.0",
            ">=1.0.0<2.0.0", "1.0.0 ..< 2.0.0", ">=1.0.0\t<2.0.0", "v1.0.0", "*", ">=01.0.0", "1.0.0 -",
        ])
    func bad(_ text: String) {
        #expect(!ComponentMacros.VersionRange.isValid(text))
        #expect(ComponentHost.VersionRange(text) == nil)
    }
}
