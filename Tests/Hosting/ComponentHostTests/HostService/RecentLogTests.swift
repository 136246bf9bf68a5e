import ComponentKit
import HostContract
import Logging
import TestSupport
import Testing

@testable import ComponentHost

@Suite("The last lines of a host's log")
struct RecentLogTests {
    @Test("a ring keeps the last elements, with numbers that go on", arguments: [0, 1, 499, 500, 501, 999, 1000, 1234])
    func ring(count: Int) {
        var ring = NumberedRing<Int>()
        for _ in 0..<count { ring.append { $0 } }
        let all = Array((max(count - 500, 0) + 1)..<(count + 1))
        #expect(ring.lastNumber == count)
        #expect(ring.elements(after: nil) == all)
        for number in [Int.min, -1, 0, 1, count / 2, count - 1, count, count + 1, Int.max] {
            #expect(ring.elements(after: number) == all.filter { $0 > number }, "after \(number)")
        }
        ring.removeAll()
        #expect(ring.elements(after: nil) == [])
        #expect(ring.elements(after: 0) == [])
        ring.append { $0 }
        #expect(ring.elements(after: nil) == [count + 1])
        #expect(ring.elements(after: 0) == [count + 1])
    }

    @Test("lines of the host and of components are kept if they pass the level of the logger")
    func levels() async throws {
        for level in [Logger.Level.debug, .info, .warning, .error, .critical] {
            var log = CollectedLog()
            log.logLevel = level
            let host = try Depth.builtIn.host(options: log.options)
            let service = try host.service(HostServiceClient.self)
            try await service.load(component: "FixtureComponent")
            for (level, text) in [(LogLevel.debug, "a"), (.info, "b"), (.warning, "c"), (.error, "d")] {
                host.link.log(level, text)
            }
            let lines = try await service.log(after: nil)
            #expect(lines.map(\.number) == Array(1..<(lines.count + 1)))
            #expect(lines.map(\.time) == lines.map(\.time).sorted())
            let own = lines.filter { $0.component == "host" && $0.message.count == 1 }
                .map { "\($0.level) \($0.message)" }
            let expected = ["debug a", "info b", "warning c", "error d"]
            let shown = [Logger.Level.debug: 4, .info: 3, .warning: 2, .error: 1, .critical: 0]
            #expect(own == expected.suffix(shown[level] ?? 0))
            let fixture = lines.filter { $0.component == "FixtureComponent" }.map(\.message)
            #expect(fixture.contains("fixture starts") == (level == .debug))
            await host.stop()
            // The log itself is what it was.
            let written = log.lines.all.filter { $0.count == 1 }
            #expect(written == own.compactMap { $0.last.map(String.init) })
        }
    }

    @Test("only lines after a number are returned, and the host keeps 500")
    func after() async throws {
        var log = CollectedLog()
        log.logLevel = .info
        let host = LinkHost(components: [], includesBuiltIn: false, options: log.options)
        let service = try host.service(HostServiceClient.self)
        for number in 1...700 { host.link.log(.info, "line \(number)") }
        let all = try await service.log(after: nil)
        #expect(all.map(\.number) == Array(201...700))
        #expect(all.first?.message == "line 201")
        #expect(try await service.log(after: 698).map(\.message) == ["line 699", "line 700"])
        #expect(try await service.log(after: 700) == [])
        #expect(try await service.log(after: 1).count == 500)
        // Another host with the same options has a log of its own.
        let other = LinkHost(components: [], includesBuiltIn: false, options: log.options)
        #expect(try await other.service(HostServiceClient.self).log(after: nil) == [])
        for host in [host, other] { await host.stop() }
    }

    @Test(
        "a long text is shortened",
        arguments: [
            (String(repeating: "x", count: 2000), true), (String(repeating: "x", count: 2001), false),
            (String(repeating: "é", count: 2000), true), (String(repeating: "é", count: 2001), false),
            ("e" + String(repeating: "\u{301}", count: 100_000), false), ("", true),
        ])
    func long(text: String, isWhole: Bool) throws {
        let log = RecentLog()
        log.add("info", text, component: "host")
        let message = try #require(log.lines(after: nil).first?.message)
        #expect((message == text) == isWhole)
        guard !isWhole else { return }
        #expect(message.unicodeScalars.count == 2000)
        #expect(message.unicodeScalars.last == "…")
        #expect(text.unicodeScalars.starts(with: message.unicodeScalars.dropLast()))
    }

    @Test("many threads write and read at once")
    func threads() async throws {
        let log = RecentLog()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask { for line in 0..<1000 { log.add("info", "\(writer) \(line)", component: "C") } }
            }
            group.addTask {
                var last = 0
                while last < 4000 {
                    let lines = log.lines(after: last)
                    #expect(lines.map(\.number) == lines.map(\.number).sorted())
                    #expect(lines.allSatisfy { $0.number > last })
                    last = lines.last?.number ?? last
                    await Task.yield()
                }
            }
        }
        let lines = log.lines(after: nil)
        #expect(lines.map(\.number) == Array(3501...4000))
        for writer in 0..<4 {
            let own = lines.filter { $0.message.hasPrefix("\(writer) ") }
                .compactMap { Int($0.message.split(separator: " ")[1]) }
            #expect(own == own.sorted())
        }
    }
}
