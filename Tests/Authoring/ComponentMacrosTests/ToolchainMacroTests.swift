import Testing

@Suite("The note about the toolchain")
struct ToolchainMacroTests {
    @Test("it is a note of type 16 with the ABI and the compiler")
    func note() {
        let expansion = Expansion(of: "#toolchain(abi: \"1.0\")")
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.noteContent
                == "{\"abi\":\"1.0\",\"compiler\":\"\(CompilerVersion.current)\"}")
        #expect(
            expansion.source.hasPrefix(
                "@section(\".note.hslink\") @used private nonisolated let __macro_local_9toolchainfMu_: "
                    + "(UInt32, UInt32, UInt32, UInt32, InlineArray<4, UInt64>) = (\n    4, 32, 16, 0x004C5348,\n    [\n"
            ))
    }

    @Test(
        "an ABI that is not MAJOR.MINOR is refused",
        arguments: ["", "1", "1.0.0", "1.", "a.b", "01.0", "+1.0", "65536.0", "1.0 "])
    func refused(_ abi: String) {
        let expansion = Expansion(of: "#toolchain(abi: \"\(abi)\")")
        #expect(expansion.diagnostics == ["1:17 expected an ABI version in the form MAJOR.MINOR, such as \"1.0\""])
        #expect(!expansion.source.contains("@section"))
    }

    @Test("it is allowed at file scope only")
    func fileScope() {
        let expansion = Expansion(of: "enum Kit {\n    #toolchain(abi: \"1.0\")\n}")
        #expect(
            expansion.diagnostics == [
                "2:5 #toolchain can only be used at file scope: move it out of all types and functions"
            ])
    }
}
