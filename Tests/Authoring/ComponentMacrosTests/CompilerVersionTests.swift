import Foundation
import Testing

@Suite("The version of the compiler")
struct CompilerVersionTests {
    @Test("it is the version of swiftc, as far as the table goes")
    func sameAsSwiftc() throws {
        let swiftc = Process()
        swiftc.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        swiftc.arguments = ["swiftc", "--version"]
        let output = Pipe()
        swiftc.standardOutput = output
        swiftc.standardError = FileHandle.nullDevice
        try swiftc.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        swiftc.waitUntilExit()
        let version = try #require(text.firstMatch(of: /Swift version (\d+)\.(\d+)(?:\.(\d+))?/))
        let minor = try #require(Int(version.2))
        #expect(version.1 == "6")
        #expect(CompilerVersion.current == (minor > 4 ? "6.5 or later" : "6.\(minor).\(version.3 ?? "0")"))
    }

    @Test("the macro is a string literal")
    func expansion() {
        let expansion = Expansion(of: "let version = #compilerVersion()")
        #expect(expansion.diagnostics == [])
        #expect(expansion.source == "let version = \"\(CompilerVersion.current)\"")
    }
}
