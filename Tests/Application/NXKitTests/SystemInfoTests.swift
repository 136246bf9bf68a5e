import Testing

@testable import NXKit

@Suite("The system")
struct SystemInfoTests {
    @Test("the system says what it is")
    func current() {
        let system = SystemInfo.current
        #expect(system.kernel.hasPrefix("Linux "))
        #expect(["x86_64", "aarch64"].contains(system.architecture))
        #expect(system.processors >= 1 && system.memory > 1 << 20)
        #expect(system.summary.hasPrefix("\(system.kernel) on \(system.architecture), "))
        #expect(system.summary.hasSuffix(" MB"))
    }

    @Test(
        "the name of the distribution is read as the shell reads it",
        arguments: [
            ("PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n", "Debian GNU/Linux 12 (bookworm)"),
            ("NAME=a\nPRETTY_NAME='b c'\nID=d", "b c"), (#"PRETTY_NAME='a\b'"#, #"a\b"#),
            ("PRETTY_NAME=Void", "Void"),
            (#"PRETTY_NAME="a \"b\" \\ \$c""#, #"a "b" \ $c"#), (#"PRETTY_NAME=""#, "\""), (#"PRETTY_NAME="""#, nil),
            ("PRETTY_NAME=", nil), ("# PRETTY_NAME=a", nil), ("NAME=a", nil), ("", nil),
        ] as [(String, String?)])
    func distributions(text: String, name: String?) {
        #expect(SystemInfo.distribution(in: Array(text.utf8)) == name)
    }
}
