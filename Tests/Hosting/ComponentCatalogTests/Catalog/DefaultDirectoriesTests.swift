import Testing

@testable import ComponentCatalog

@Suite("Default directories")
struct DefaultDirectoriesTests {
    @Test(
        "HSLINK_PATH comes first, then the folder next to the program, then that of an installation",
        arguments: [
            ("/a:/b", "/usr/bin/host", [], ["/a", "/b"]), (":/a::b:", "/usr/bin/host", [], ["/a", "b"]),
            ("", "/usr/bin/host", [], ["/usr/bin/plugins"]), (":::", "/usr/bin/host", [], ["/usr/bin/plugins"]),
            (nil, "/host", [], ["/plugins"]), (nil, "", [], []),
            (nil, "/usr/bin/host", ["/usr/lib/hslink/plugins"], ["/usr/lib/hslink/plugins"]),
            (nil, "/usr/bin/host", ["/usr/bin/plugins", "/usr/lib/hslink/plugins"], ["/usr/bin/plugins"]),
            (nil, "/bin/host", ["/lib/hslink/plugins"], ["/lib/hslink/plugins"]),
            (nil, "/usr/sbin/host", ["/usr/lib/hslink/plugins"], ["/usr/sbin/plugins"]),
            ("/a", "/usr/bin/host", ["/usr/lib/hslink/plugins"], ["/a"]),
        ] as [(String?, String, [String], [String])])
    func directories(variable: String?, executable: String, existing: [String], expected: [String]) {
        let environment = variable.map { ["HSLINK_PATH": $0] } ?? [:]
        let directories = Catalog.defaultDirectories(environment: environment, executable: executable) {
            existing.contains($0)
        }
        #expect(directories == expected)
    }

    @Test("this program has its own directory")
    func own() {
        for directory in Catalog.defaultDirectories() { #expect(!directory.isEmpty) }
        #expect(!Catalog.defaultDirectories().isEmpty)
    }
}
