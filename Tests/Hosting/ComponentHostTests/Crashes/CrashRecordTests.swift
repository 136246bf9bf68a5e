import ComponentKit
import Glibc
import TestSupport
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

    @Test(
        "a crash in the far future, when the clock was wrong, does not count as one of this hour",
        arguments: [
            (1_764_349_774, true), (1_764_346_174, true), (1_764_353_374, true), (1_764_346_173, false),
            (1_764_353_375, false), (9_223_372_036_854_775_807, false), (0, false),
        ] as [(Int64, Bool)])
    func hour(seconds: Int64, isWithin: Bool) throws {
        let record = try #require(CrashRecord(line: "\(seconds)\tVideo\tcrashed".utf8))
        #expect(record.isWithinHour(of: Timestamp(seconds: 1_764_349_774, nanoseconds: 0)) == isWithin)
    }

    @Test("a note that is no file of the host's own is not used")
    func foreignNotes() throws {
        let directory = try TemporaryDirectory()
        func flaw(_ path: String) throws -> String? {
            let note = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            try #require(note >= 0)
            defer { close(note) }
            return CrashFeature.flaw(note)
        }
        let file = try directory.write("precious", to: "file")
        #expect(try flaw(file) == nil)
        let isLinked = unsafe link(file, directory.path(of: "other")) == 0
        let isMade = unsafe mkfifo(directory.path(of: "pipe"), 0o600) == 0
        try #require(isLinked && isMade)
        #expect(try flaw(file) == "it has other names, too")
        #expect(try flaw(directory.path(of: "pipe")) == "it is not a regular file")
    }

    @Test("of a note that has grown long, the last crashes are read, and it is emptied")
    func longNote() throws {
        let directory = try TemporaryDirectory()
        let lines = (1...3000).map { "\($0)\tVideo\tcrashed in VideoLink.probe\n" }
        let file = try directory.write(lines.joined(), to: "note")
        let note = unsafe open(file, O_RDWR | O_CLOEXEC)
        try #require(note >= 0)
        defer { close(note) }
        #expect(CrashRecord.all(in: CrashFeature.read(note)).last?.time.seconds == 3000)
        #expect(CrashFeature.read(note).isEmpty)
    }

    @Test("a host reports no crashes unless the program wants it")
    func off() { #expect(HostOptions().crashReports == .off) }
}
