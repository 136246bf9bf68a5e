import Foundation
import Glibc
import TestSupport
import Testing

@testable import ComponentHost
@testable import ComponentKit

@Suite("The data directory")
struct DataDirectoryTests {
    let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    private func options(_ name: String? = "data") -> HostOptions {
        var options = HostOptions.quiet
        options.dataDirectory = name.map { place.path(of: $0) }
        return options
    }

    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return unsafe stat(place.path(of: name), &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test("a component has its own directory, the same at every request", arguments: Depth.allCases)
    func own(depth: Depth) async throws {
        let host = try depth.host(options: options("a/b"))
        #expect(mode("a") == nil)
        let path = Payload(place.path(of: "a/b/FixtureComponent"))
        #expect(try await host.call("FixtureLink", "data") == path)
        try Data("kept".utf8).write(to: URL(filePath: place.path(of: "a/b/FixtureComponent/file")))
        #expect(try await host.call("FixtureLink", "data") == path)
        for name in ["a", "a/b", "a/b/FixtureComponent"] { #expect(mode(name) == 0o700) }
        await host.stop()
        let next = try depth.host(options: options("a/b"))
        #expect(try await next.call("FixtureLink", "data") == path)
        #expect(FileManager.default.contents(atPath: place.path(of: "a/b/FixtureComponent/file")) == Data("kept".utf8))
        await next.stop()
    }

    @Test("a component in C gets a directory, or the reason why not")
    func inC() async throws {
        try await withHost(["KeepsData"], options: options()) { host, _ async throws in
            let path = try await host.value("KeepsDataLink", "directory")
            #expect(path == Payload(place.path(of: "data/KeepsData")))
            #expect(try await host.value("KeepsDataLink", "unknown") == false)
        }
        try await withHost(["KeepsData"], options: options(nil)) { host, _ async throws in
            let error = try #require(await host.blockingCall("KeepsDataLink", "directory").error)
            #expect((error.domain, error.number) == ("hslink.data", 1))
            #expect(error.classIsLoad)
            #expect(try await host.value("KeepsDataLink", "unknown") == false)
        }
    }

    @Test("a host without a data directory says what to do", arguments: [nil, ""] as [String?])
    func none(path: String?) async throws {
        var options = HostOptions.quiet
        options.dataDirectory = path
        let host = try Depth.file.host(options: options)
        let error = try #require(await answer { try await host.call("FixtureLink", "data") }.error)
        #expect((error.domain, error.number) == ("hslink.data", 1))
        #expect(error.message.contains("set one with --data DIR"))
        await host.stop()
    }

    @Test("the host's own classes have no data directory")
    func ownClasses() async throws {
        let host = LinkHost(
            components: [], includesBuiltIn: false, provides: [ProvidedClass(AskingLink.self)], options: options())
        let error = try #require(await answer { try await host.call("AskingLink", "data") }.error)
        #expect(error.message.contains("have no data directory of their own"))
        await host.stop()
    }

    @Test("a second host learns the owner, until the first one has stopped or is gone", arguments: [false, true])
    func twoHosts(isStopped: Bool) async throws {
        var first: LinkHost? = try Depth.file.host(options: options())
        try #expect(first?.claimDataDirectory() == place.path(of: "data"))
        let second = try Depth.file.host(options: options())
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().lastPathComponent
        let error = try #require(await answer { try await second.call("FixtureLink", "data") }.error)
        #expect((error.domain, error.number) == ("hslink.data", 2))
        #expect(error.message.contains("is in use by process \(getpid()) (\(program)); stop it"))
        if isStopped { await first?.stop() } else { first = nil }
        #expect(try await second.call("FixtureLink", "data") == Payload(place.path(of: "data/FixtureComponent")))
        await second.stop()
        #expect(throws: LinkError.self) { try second.claimDataDirectory() }
        await first?.stop()
    }

    @Test("a second process learns the owner")
    func twoProcesses() async throws {
        let host = try Depth.file.host(options: options())
        try host.claimDataDirectory()
        try await withPlugins("KeepsData") { plugins in
            let call = [
                "call", "KeepsDataLink", "directory", "--class-method", "--plugins", plugins.path, "--data",
                place.path(of: "data"),
            ]
            let during = try await ProgramRun.of(BuiltProducts.hslink, call)
            #expect(during.status == 1)
            #expect(during.standardError.contains("is in use by process \(getpid())"))
            await host.stop()
            let after = try await ProgramRun.of(BuiltProducts.hslink, call)
            #expect(after.standardOutput == "\"\(place.path(of: "data/KeepsData"))\"\n")
        }
    }

    @Test("a host that a component is still running in keeps it")
    func stillRunning() async throws {
        let host = try Depth.file.host(options: options())
        try host.claimDataDirectory()
        let valve = Valve()
        let closure = valve.closure(host.link)
        Thread.detachNewThread { host.link.call("FixtureLink", "apply", ["closure": closure]) { _ in } }
        #expect(await holds { valve.arrivals == 1 })
        #expect(await host.stop(timeout: .zero).stillRunning == ["FixtureComponent"])
        let second = try Depth.file.host(options: options())
        let error = #expect(throws: LinkError.self) { try second.claimDataDirectory() }
        #expect(error?.number == 2)
        valve.open()
        await second.stop()
    }

    @Test(
        "the holder of the lock is named: the one in the lock file, or the processes that have the file open",
        arguments: [
            ("", "in use by OWN; stop it, or use"),
            ("process 1\u{1B}[31m (x)\ny", #"in use by process 1\u{1b}[31m (x); stop it, or use"#),
            ("nonsense", "in use by nonsense; stop it, or use"),
            // More than any process number.
            (
                "process 2147483647 (hslink)\n",
                "locked by OWN, which inherited the lock from process 2147483647 (hslink), a host that has ended; end "
                    + "that process, or use"
            ),
        ])
    func holders(text: String, expected: String) async throws {
        try place.makeDirectory("data")
        try place.write(text, to: "data/.host.lock")
        let lock = unsafe open(place.path(of: "data/.host.lock"), O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        let host = LinkHost(components: [], options: options())
        let own = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).dropLast()
        let words = expected.replacing("OWN", with: "process \(getpid()) (\(own))")
        // A child that another test has just started may have the file open, too, for a moment.
        let isNamed = await holds {
            let error = #expect(throws: LinkError.self) { try host.claimDataDirectory() }
            return error?.message.contains("is \(words)") == true
        }
        #expect(isNamed)
    }

    @Test("a host whose lock file was removed keeps it")
    func removedLock() async throws {
        let host = LinkHost(components: [], options: options())
        try host.claimDataDirectory()
        try FileManager.default.removeItem(atPath: place.path(of: "data/.host.lock"))
        let other = LinkHost(components: [], options: options())
        let error = try #require(#expect(throws: LinkError.self) { try other.claimDataDirectory() })
        #expect(error.message.contains("is in use by"), "\(error.message)")
        await host.stop()
        try other.claimDataDirectory()
        await other.stop()
    }

    @Test("one that is removed or replaced while the host runs is not used", arguments: Depth.allCases, [false, true])
    func replaced(depth: Depth, isMade: Bool) async throws {
        let host = try depth.host(options: options())
        _ = try await host.call("FixtureLink", "data")
        try FileManager.default.moveItem(atPath: place.path(of: "data"), toPath: place.path(of: "former"))
        if isMade { try place.makeDirectory("data") }
        let error = await answer { try await host.call("FixtureLink", "data") }.error
        #expect(error?.message.contains("was removed or replaced while the host was running; restart the host") == true)
        #expect(mode("data/FixtureComponent") == nil)
        await host.stop()
    }

    @Test("many threads that ask at once get the same answer")
    func threads() async throws {
        let host = try Depth.file.host(options: options())
        let answers = await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<64 { group.addTask { await answer { try await host.call("FixtureLink", "data") } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let path = Payload(place.path(of: "data/FixtureComponent"))
        #expect(answers.allSatisfy { $0.returnValue == path })
        await host.stop()
    }
}

/// A class of the program that asks for a data directory.
private final class AskingLink: LinkClass {
    private let context: ComponentContext
    init(_ context: ComponentContext) { self.context = context }
    static let methods: [LinkMethod<AskingLink>] = [
        .method("data") { asking, _ in try asking.context.dataDirectory() }
    ]
}
