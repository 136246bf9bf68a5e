import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

/// Each test runs in its own process, because the handlers of signals belong to the whole process.
@Suite(
    "The file with the note of crashes",
    .enabled(if: BuiltProducts.sanitizer == nil, "a sanitizer reports each crash as an error"))
struct CrashNoteTests {
    @Test("each host in the process that has claimed its data directory has the crash in its note")
    func hosts() async throws {
        let place = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.path as String] in
            let hosts = try ["first", "second", "stopped"].map { name in
                let host = CrashNoteTests.host("\(path)/\(name)")
                try host.claimDataDirectory()
                return host
            }
            await hosts[2].stop()
            withExtendedLifetime(hosts) {
                CrashStep.run("while it was tested", of: "Trial") { _ = raise(SIGSEGV) }
            }
        }
        for name in ["first", "second"] {
            let records = CrashRecord.all(in: Array(try Data(contentsOf: CrashNoteTests.note(in: place, name))))
            #expect(records.map(\.component) == ["Trial"], "\(name)")
            #expect(
                records.allSatisfy { $0.text.hasPrefix("crashed while it was tested with SIGSEGV on the thread ") },
                "\(name)")
        }
        #expect(try Data(contentsOf: CrashNoteTests.note(in: place, "stopped")).isEmpty)
    }

    @Test("what is no file in its place is reported and left alone, and the host starts")
    func hostile() async {
        await #expect(processExitsWith: .success) {
            let place = try TemporaryDirectory()
            try place.write("precious", to: "other")
            for name in ["link", "pipe", "folder"] { try place.makeDirectory(name) }
            try place.link("link/.host.crashes", to: place.path(of: "other"))
            #expect(unsafe mkfifo(place.path(of: "pipe/.host.crashes"), 0o600) == 0)
            try place.makeDirectory("folder/.host.crashes")
            for (name, reason) in [
                ("link", "the system could not open"), ("pipe", "it is not a regular file; remove it"),
                ("folder", "the system could not open"),
            ] {
                let log = CollectedLog()
                let host = CrashNoteTests.host(place.path(of: name), log)
                try host.claimDataDirectory()
                let line = log.lines.all.first { $0.contains("crashes leave no note in ") }
                #expect(line?.contains(reason) == true, "\(name): \(log.lines.all)")
                await host.stop()
            }
            #expect(try String(contentsOfFile: place.path(of: "other"), encoding: .utf8) == "precious")
        }
    }

    @Test("a note that is large or no text is read from its end, and emptied if it is large")
    func large() async {
        await #expect(processExitsWith: .success) {
            let place = try TemporaryDirectory()
            try place.makeDirectory("data")
            let rest = [UInt8](repeating: 0xFE, count: 1 << 17)
            try place.write(rest + Array("\n1\tTrial\tcrashed\n".utf8), to: "data/.host.crashes")
            let host = CrashNoteTests.host(place.path(of: "data"))
            try host.claimDataDirectory()
            #expect(host.features.crashes.last(of: "Trial") == "crashed at 1970-01-01T00:00:01Z")
            #expect(try Data(contentsOf: CrashNoteTests.note(in: place, "data")).isEmpty)
            await host.stop()
        }
    }

    @Test("a host that nobody holds any more has stopped, so its note is empty, and closed")
    func forgotten() async {
        await #expect(processExitsWith: .success) {
            let place = try TemporaryDirectory()
            try place.makeDirectory("data")
            try place.write("1\tTrial\tcrashed\n", to: "data/.host.crashes")
            let path = place.path(of: "data/.host.crashes")
            func isOpen() throws -> Bool {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
                }
            }
            var host: LinkHost? = CrashNoteTests.host(place.path(of: "data"))
            try host?.claimDataDirectory()
            try #require(try isOpen())
            host = nil
            #expect(await holds { (try? isOpen()) == false })
            #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
            withExtendedLifetime(place) {}
        }
    }

    static func host(_ data: String, _ log: CollectedLog? = nil) -> LinkHost {
        var options = log?.options ?? .quiet
        options.dataDirectory = data
        options.crashReports = .text
        return LinkHost(components: [], includesBuiltIn: false, options: options)
    }

    static func note(in place: TemporaryDirectory, _ name: String) -> URL {
        URL(filePath: place.path(of: "\(name)/.host.crashes"))
    }
}
