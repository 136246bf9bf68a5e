import Foundation
import TestSupport
import Testing

/// Tests what a crash of a component leaves behind.
@Suite(
    "Crashes of components", .enabled(if: BuiltProducts.sanitizer == nil, "a sanitizer reports each crash as an error"))
struct CrashTests {
    @Test(
        "a line names the component, the method and the signal, and the process ends by the signal",
        arguments: [
            ("write", "in CrashesLink.write with SIGSEGV at the address 0x10", SIGSEGV),
            ("overflow", "in CrashesLink.overflow with SIGSEGV", SIGSEGV),
            ("abort", "in CrashesLink.abort with SIGABRT", SIGABRT),
            ("bus", "in CrashesLink.bus with SIGBUS", SIGBUS),
            ("divide", "in CrashesLink.divide with SIGFPE", SIGFPE),
            ("illegal", "in CrashesLink.illegal with SIGILL", SIGILL),
            ("trap", "in CrashesLink.trap with SIGTRAP", SIGTRAP),
            ("onThread", "outside of calls with SIGSEGV at the address 0x10", SIGSEGV),
            ("abortOnThread", "outside of calls with SIGABRT", SIGABRT),
        ])
    func line(selector: String, text: String, signal: Int32) async throws {
        try await withPlugins("Crashes") { plugins in
            let run = try await call(selector, plugins)
            #expect(run.status == -signal, "\(run)")
            let line = run.standardError.split(separator: "\n").first { $0.contains(" critical Crashes: crashed ") }
            #expect(line?.contains(" critical Crashes: crashed \(text)") == true, "\(run.standardError)")
            #expect(line?.contains(" on the thread ") == true)
        }
    }

    @Test("the process ends by the signal if Swift's backtracer is on, too", arguments: ["write", "abort", "trap"])
    func backtrace(selector: String) async throws {
        try await withPlugins("Crashes") { plugins in
            let run = try await call(
                selector, plugins, environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"])
            #expect(run.status == ["write": -SIGSEGV, "abort": -SIGABRT, "trap": -SIGTRAP][selector], "\(run)")
            #expect(run.standardError.contains(" critical Crashes: crashed in CrashesLink.\(selector) with "), "\(run)")
        }
    }

    @Test("a crash while a component starts names it")
    func start() async throws {
        try await withPlugins("Crashes") { plugins in
            let run = try await call("answer", plugins, environment: ["HSLINK_CRASH_START": "1"])
            #expect(run.status == -SIGSEGV, "\(run)")
            #expect(
                run.standardError.contains(" critical Crashes: crashed while it started with SIGSEGV"),
                "\(run.standardError)")
        }
    }

    @Test("the next host logs and lists the crash, until one has stopped in order")
    func note() async throws {
        let place = try TemporaryDirectory()
        try await withPlugins("Crashes") { plugins in
            let arguments = ["--plugins", plugins.path, "--data", place.path(of: "data")]
            try await crash(arguments)
            let second = try await RunningHost.start(arguments)
            #expect(second.log.contains(" error Crashes: has crashed its host once since the last orderly stop"))
            #expect(second.log.contains("disable it with host.components.Crashes.enabled: false"))
            #expect(try await second.list().standardOutput.contains("crashed in CrashesLink.write with SIGSEGV"))
            let json = try await second.list("--json").standardOutput
            #expect(json.contains(#""lastCrash":"crashed in CrashesLink.write with SIGSEGV"#), "\(json)")
            // One crash keeps no component from being called.
            #expect(try await second.call("CrashesLink", "answer", "--class-method") == printed("42"))
            #expect(await second.end() == 0)
            let third = try await RunningHost.start(arguments)
            #expect(!third.log.contains("crashed"), "\(third.log)")
            #expect(try await !third.list("--json").standardOutput.contains("lastCrash"))
            #expect(await third.end() == 0)
        }
    }

    @Test("a component that crashes its host again and again is not loaded until it is retried")
    func heldBack() async throws {
        let place = try TemporaryDirectory()
        try await withPlugins("Crashes", "CGood") { plugins in
            let arguments = ["--plugins", plugins.path, "--data", place.path(of: "data")]
            for _ in 1...3 { try await crash(arguments) }
            let host = try await RunningHost.start(arguments)
            let refused = try await host.call("CrashesLink", "answer", "--class-method")
            #expect(refused.status == 1)
            #expect(refused.standardError.contains("it has crashed its host 3 times within an hour"), "\(refused)")
            #expect(refused.standardError.contains("'hslink call hslink.Host retry component=Crashes --host SOCKET'"))
            // The others are.
            #expect(try await host.call("CGoodLink", "echo", "1", "--class-method") == printed("1"))
            #expect(try await host.call("hslink.Host", "retry", "component=Crashes") == printed("true"))
            #expect(try await host.call("CrashesLink", "answer", "--class-method") == printed("42"))
            #expect(await host.end() == 0)
        }
    }

    @Test("the line is JSON if the log is")
    func json() async throws {
        struct Line: Decodable { let time, level, message, component: String }
        try await withPlugins("Crashes") { plugins in
            let host = try await RunningHost.start(
                ["--plugins", plugins.path, "--log-format", "json"], environment: CrashTests.quick)
            _ = try await host.call("CrashesLink", "illegal", "--class-method")
            #expect(await host.status() == -SIGILL)
            let lines = host.log.split(separator: "\n").compactMap {
                try? JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            let line = try #require(lines.last { $0.level == "critical" }, "\(host.log)")
            #expect(line.component == "Crashes")
            #expect(line.message.hasPrefix("crashed in CrashesLink.illegal with SIGILL on the thread "))
            #expect(line.time.count == 24 && line.time.hasSuffix("Z"))
        }
    }

    @Test("a signal from another process blames no component")
    func foreign() async throws {
        try await withPlugins("Crashes") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path], environment: CrashTests.quick)
            host.signal(SIGABRT)
            #expect(await host.status() == -SIGABRT)
            #expect(host.log.contains(" critical: the host is ended by SIGABRT from process "), "\(host.log)")
        }
    }

    /// Swift's backtracer takes seconds for each crash.
    private static let quick = ["SWIFT_BACKTRACE": "enable=no"] as [String: String?]

    /// Calls a selector of the component in a host of the command's own.
    private func call(
        _ selector: String, _ plugins: PluginDirectory, environment: [String: String?] = [:]
    ) async throws -> ProgramRun {
        try await hslink(
            ["call", "CrashesLink", selector, "--class-method", "--plugins", plugins.path],
            environment: CrashTests.quick.merging(environment) { $1 })
    }

    /// Runs a host until a component crashes it.
    private func crash(_ arguments: [String]) async throws {
        let host = try await RunningHost.start(arguments, environment: CrashTests.quick)
        let call = try await host.call("CrashesLink", "write", "--class-method")
        #expect(call.standardError.contains("it was stopped or has crashed"), "\(call)")
        #expect(await host.status() == -SIGSEGV)
        #expect(host.log.contains(" critical Crashes: crashed in CrashesLink.write with SIGSEGV"), "\(host.log)")
    }
}
