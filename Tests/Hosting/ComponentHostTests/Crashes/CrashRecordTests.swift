import Testing

@testable import ComponentHost

@Suite("The note of crashes")
struct CrashRecordTests {
    @Test("its lines are read, and what is none is left out")
    func lines() {
        let note = """
            1764349774\tVideo\tcrashed in VideoLink.probe with SIGSEGV on the thread hslink-worker (4711)
            1764349775\tVideo
            soon\tVideo\tcrashed
            -1\tVideo\tcrashed
            1764349776\t\tcrashed
            1764349777\tAudio\tcrashed while it started with SIGILL on the thread main (1)

            176434
            """
        let records = CrashRecord.all(in: Array(note.utf8))
        #expect(records.map(\.component) == ["Video", "Audio"])
        #expect(
            records.last?.sentence
                == "crashed while it started with SIGILL on the thread main (1) at 2025-11-28T17:09:37Z")
    }

    @Test("bytes of any kind are read")
    func bytes() {
        #expect(CrashRecord.all(in: []).isEmpty)
        #expect(CrashRecord.all(in: [UInt8](0...255)).isEmpty)
        #expect(CrashRecord.all(in: Array("1\t\u{FFFF}\t\u{1B}[31m\n".utf8)).count == 1)
    }

    @Test("a host reports no crashes unless the program wants it")
    func off() { #expect(HostOptions().crashReports == .off) }
}
