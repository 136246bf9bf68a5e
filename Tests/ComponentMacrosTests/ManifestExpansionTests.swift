import Testing

@Suite("What #manifest expands to")
struct ManifestExpansionTests {
    @Test("a small manifest becomes a note and one record for the component and each class")
    func wholeText() {
        let expansion = Expansion(
            of: ##"""
                import ComponentKit

                #manifest("""
                    { "name": "V", "version": "1.0.0", "type": "Box",
                      "classes": [ { "name": "VideoLink", "instances": "perCall" } ] }
                    """)

                final class VideoLink {}
                """##)
        let note = "@section(\".note.hslink\") @used private nonisolated let"
        let noteType = "(UInt32, UInt32, UInt32, UInt32, InlineArray<15, UInt64>)"
        let record = "@section(\"hslink_records\") @used private nonisolated let"
        let recordType = "@convention(c) (UInt32) -> UnsafeRawPointer?"
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.source == """
                import ComponentKit

                \(note) __macro_local_8manifestfMu_: \(noteType) = (
                    4, 120, 1, 0x004C5348,
                    [
                        0x656C75646F6D227B, 0x6F65646956223A22, 0x22656D616E222C22, 0x6576222C2256223A,
                        0x223A226E6F697372, 0x222C22302E302E31, 0x42223A2265707974, 0x616C63222C22786F,
                        0x7B5B3A2273657373, 0x223A22656D616E22, 0x6E694C6F65646956, 0x74736E69222C226B,
                        0x223A227365636E61, 0x226C6C6143726570, 0x20202020207D5D7D
                    ]
                )
                \(record) __macro_local_6recordfMu_: \(recordType) = { _ in
                    unsafe ComponentKit.LinkRecord.component(\
                module: "Video", name: "V", version: "1.0.0", type: Box.self)
                }
                \(record) __macro_local_6recordfMu0_: \(recordType) = { _ in
                    unsafe ComponentKit.LinkRecord.linkClass(\
                module: "Video", name: "VideoLink", type: VideoLink.self, instances: .perCall)
                }

                final class VideoLink {}
                """)
    }

    @Test("the words of the note read back as the text, padded with spaces to 8 bytes")
    func words() throws {
        let expansion = try Expansion(manifest: #"{"name": "V", "version": "1.0.0"}"#)
        #expect(expansion.noteText == #"{"module":"Video","name":"V","version":"1.0.0"}"# + " ")
        #expect(expansion.declaredSize == 48)
    }

    @Test("only whitespace outside of strings goes; order, numbers and escapes stay as written")
    func minified() throws {
        let expansion = try Expansion(
            manifest: #"""
                { "version" : "1.0.0",
                  "x-numbers": [ 1.50 , -0, 1e+2, true,	null ], "summary": "two  spaces \u00e9 \" \/",
                  "name": "V" }
                """#)
        #expect(
            expansion.noteContent == #"{"module":"Video","version":"1.0.0","#
                + #""x-numbers":[1.50,-0,1e+2,true,null],"summary":"two  spaces \u00e9 \" \/","name":"V"}"#)
    }

    struct Record: Sendable {
        let member: String
        let call: String
    }

    @Test(
        "each way to name a type becomes one argument list",
        arguments: [
            Record(
                member: #""summary": "no type""#,
                call: #"component(module: "Video", name: "V", version: "1.0.0")"#),
            Record(
                member: #""type": "Media.Video""#,
                call: #"component(module: "Video", name: "V", version: "1.0.0", type: Media.Video.self)"#),
            Record(
                member: #""classes": [{"name": "A"}]"#,
                call: #"linkClass(module: "Video", name: "A", type: A.self)"#),
            Record(
                member: #""classes": [{"name": "A", "instances": "shared", "type": "Bild"}]"#,
                call: #"linkClass(module: "Video", name: "A", type: Bild.self)"#),
            Record(
                member: #""classes": [{"name": "Größe"}]"#,
                call: #"linkClass(module: "Video", name: "Größe", type: Größe.self)"#),
            Record(
                member: #""classes": [{"name": "a \"b\" \\(c)", "type": "A"}]"#,
                call: #"linkClass(module: "Video", name: "a \"b\" \\(c)", type: A.self)"#),
        ])
    func records(_ record: Record) throws {
        let expansion = try Expansion(manifest: #"{"name": "V", "version": "1.0.0", \#(record.member)}"#)
        #expect(expansion.diagnostics == [])
        let last = expansion.source.split(separator: "\n").last { $0.contains("LinkRecord") }
        #expect(last.map(String.init) == "    unsafe ComponentKit.LinkRecord." + record.call)
    }

    @Test("two manifests of one file have different names, for the tests of a component")
    func uniqueNames() {
        let manifest = ##"#manifest(#"{"name": "V", "version": "1.0.0"}"#)"##
        let names = Expansion(of: manifest + "\n" + manifest).source.matches(of: /let (\w+):/).map { String($0.1) }
        #expect(names.count == 4)
        #expect(Set(names).count == 4)
    }
}
