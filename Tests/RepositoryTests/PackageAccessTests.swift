import TestSupport
import Testing

/// The sample components are authors' code. Package.swift keeps from them what is declared `package`; without that, they
/// would use it, and nobody would notice.
@Suite("The access of components")
struct PackageAccessTests {
    @Test("every component in Plugins is compiled without access to the package")
    func plugins() throws {
        let manifest = try #require(RepositoryFile.all.first { $0.path == "Package.swift" }).text
        let start = try #require(manifest.firstRange(of: "\nfunc component("))
        let end = try #require(manifest[start.upperBound...].firstRange(of: "\n}\n"))
        #expect(manifest[start.upperBound..<end.lowerBound].contains(" packageAccess: false,"))
        // That function makes all targets in Plugins.
        #expect(manifest.ranges(of: "\"Plugins/").count == 1)
        #expect(manifest.firstMatch(of: /\ component\(\s*name, path: "Plugins\//) != nil)
        // So are the contracts between them.
        let contracts = try #require(manifest.firstRange(of: "\"Sources/Application/Contracts/"))
        #expect(manifest[contracts.upperBound...].prefix(100).contains("packageAccess: false)"))
    }
}
