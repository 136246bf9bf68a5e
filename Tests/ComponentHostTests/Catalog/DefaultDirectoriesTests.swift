import Testing

@testable import ComponentHost

@Suite("Where components are searched")
struct DefaultDirectoriesTests {
    @Test(
        "HSLINK_PATH says where, else it is beside the program",
        arguments: [
            ("/a:/b", "/usr/bin/host", ["/a", "/b"]), (":/a::b:", "/usr/bin/host", ["/a", "b"]),
            ("", "/usr/bin/host", ["/usr/bin/plugins"]), (":::", "/usr/bin/host", ["/usr/bin/plugins"]),
            (nil, "/host", ["/plugins"]), (nil, "", []),
        ])
    func directories(variable: String?, executable: String, expected: [String]) {
        let environment = variable.map { ["HSLINK_PATH": $0] } ?? [:]
        #expect(Catalog.defaultDirectories(environment: environment, executable: executable) == expected)
    }

    @Test("this program has a directory of its own")
    func own() {
        for directory in Catalog.defaultDirectories() { #expect(!directory.isEmpty) }
        #expect(!Catalog.defaultDirectories().isEmpty)
    }
}
