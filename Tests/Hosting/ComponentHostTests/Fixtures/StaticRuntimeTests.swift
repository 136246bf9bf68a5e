import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite(
    "A component with a Swift runtime of its own",
    .enabled(
        if: BuiltProducts.sanitizer != "thread",
        "the thread sanitizer does not see how a static Swift runtime hands tasks from thread to thread"))
struct StaticRuntimeTests {
    /// Returns the output of a program about a file, as lines.
    private func lines(_ command: String...) async throws -> [Substring] {
        let run = try await ProgramRun.of(URL(filePath: "/usr/bin/env"), command)
        try #require(run.status == 0, "\(run.standardError)")
        return run.standardOutput.split(separator: "\n")
    }

    @Test("its file needs no Swift library, and exports only its entry")
    func file() async throws {
        let path = try Fixtures.file("StaticRuntime").path
        let needed = try await lines("readelf", "--dynamic", "--wide", path)
            .compactMap { $0.firstMatch(of: /\(NEEDED\).*\[(.*)\]/).map { String($0.1) } }
        #expect(needed.contains("libc.so.6"))
        #expect(needed.filter { $0.contains(/swift|Foundation|dispatch|Blocks/) } == [])
        // The opposite case, which proves that the check works.
        let shared = try await lines("readelf", "--dynamic", "--wide", try Fixtures.file("FixtureComponent").path)
        #expect(shared.contains { $0.contains("[libswiftCore.so]") })
        // Sanitizers add their own symbols.
        guard BuiltProducts.sanitizer == nil else { return }
        let exported = try await lines("nm", "-D", "--defined-only", "--extern-only", "--format=posix", path)
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(exported == ["hslink_component"])
    }

    @Test("it is available, and every form of a call reaches its methods", arguments: CallForm.allCases)
    func calls(form: CallForm) async throws {
        try await withHost(["StaticRuntime"]) { host, _ async throws in
            #expect(host.info("StaticRuntime")?.state.description == "available")
            #expect(host.info("StaticRuntime")?.reason == "")
            let value: Payload = ["list": [1, nil, "ü"], "bytes": .bytes([0, 255]), "half": 0.5]
            let numbers: Payload = ["a": 40, "b": 2]
            for (selector, payload, expected) in [
                ("echo", value, value), ("sumQuick", numbers, 42), ("sumLater", numbers, 42), ("count", .null, 1),
                ("count", .null, 2),
            ] as [(String, Payload, Payload)] {
                let answer = await form.perform(host, selector, payload, className: "StaticRuntimeLink")
                #expect(answer.returnValue == expected)
                #expect(answer.error == nil)
            }
            let failure = await form.perform(host, "fail", className: "StaticRuntimeLink").error
            #expect(failure?.code == .methodFailed)
            #expect(failure?.message.contains("thrown by another Swift runtime") == true)
        }
    }

    @Test("it and a component with the host's runtime call each other, and closures travel both ways")
    func together() async throws {
        try await withHost(["StaticRuntime", "FixtureComponent", "CGood"]) { host, _ async throws in
            let sum: Payload = ["a": 40, "b": 2]
            let outward = try await host.call(
                "StaticRuntimeLink", "ask", ["class": "FixtureLink", "selector": "asyncSum", "payload": sum])
            #expect(outward == 42)
            let inward = try await host.value(
                "FixtureLink", "callOther", ["class": "StaticRuntimeLink", "selector": "sumLater", "payload": sum],
                kind: .object)
            #expect(inward == 42)
            for (maker, user) in [("StaticRuntimeLink", "FixtureLink"), ("FixtureLink", "StaticRuntimeLink")] {
                let closure = try await host.value(maker, "adder", ["amount": 2], kind: .object)
                let echoed = try await host.value(user, "echo", closure, kind: .object)
                let applied = try await host.value(
                    "FixtureLink", "apply", ["closure": echoed, "argument": 40], kind: .object)
                #expect(applied == 42)
            }
        }
    }

    /// Replaces the compiler's version in a file's notes with one that does not exist.
    private func makeOlder(_ path: String) throws {
        let said = "\"compiler\":\"\(compilerVersion)\""
        let other = "\"compiler\":\"\(compilerVersion.replacing(/[0-9]/, with: "5"))\""
        var data = try Data(contentsOf: URL(filePath: path))
        let range = try #require(data.range(of: Data(said.utf8)))
        data.replaceSubrange(range, with: Data(other.utf8))
        try data.write(to: URL(filePath: path))
    }

    @Test("it may come from another compiler, which one with the host's runtime may not")
    func otherCompiler() async throws {
        try await withPlugins("StaticRuntime", "FixtureComponent") { directory async throws in
            for name in ["StaticRuntime", "FixtureComponent"] { try makeOlder(directory.file("lib\(name).so")) }
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            #expect(host.failure(of: "FixtureComponent")?.code == .otherCompiler)
            #expect(host.info("StaticRuntime")?.reason == "")
            let sum = try await host.value("StaticRuntimeLink", "sumLater", ["a": 40, "b": 2], kind: .object)
            #expect(sum == 42)
            await host.stop()
        }
    }

    @Test("one with a main actor method is refused with the reason, and not mapped")
    func mainActor() async throws {
        try await withHost(["StaticRuntimeMain", "StaticRuntime"]) { host, directory async throws in
            let answer = await host.blockingCall("StaticRuntimeMainLink", "run")
            #expect(answer.error?.code == .notLoaded)
            #expect(!answer.classIsLoad)
            let failure = try #require(host.failure(of: "StaticRuntimeMain"))
            #expect(failure.code == .invalidFile)
            for part in ["onMain", "main actor", "-static-stdlib"] {
                #expect(failure.message.contains(part), "\(failure.message)")
            }
            #expect(try !isMapped(directory.file("libStaticRuntimeMain.so")))
            let sum = try await host.call("StaticRuntimeLink", "sumQuick", ["a": 1, "b": 2])
            #expect(sum == 3)
        }
    }
}
