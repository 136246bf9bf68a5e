import CHSLink
import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("Nested calls")
struct NestedCallTests {
    @Test("a component calls the host, which sees the caller", arguments: Depth.allCases, CallForm.allCases)
    func callHost(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        let answer = await form.perform(host, "callHost", ["name": "Ada"])
        #expect(answer.returnValue == "host greets Ada of FixtureComponent")
    }

    @Test("a method of a component sees its caller", arguments: Depth.allCases)
    func caller(depth: Depth) async throws {
        let host = try depth.host()
        #expect(try await host.call("FixtureLink", "caller") == "")
        let arguments: Payload = ["class": "FixtureLink", "selector": "caller"]
        #expect(try await host.call("FixtureLink", "callOther", arguments) == "FixtureComponent")
        #expect(try await host.call("FixtureLink", "bindOther", arguments) == "FixtureComponent")
    }

    @Test("host, component and host again, a hundred levels deep", arguments: Depth.allCases, [1, 63, 64, 65, 100])
    func nested(depth: Depth, levels: Int) async throws {
        let host = try depth.host()
        let arguments: Payload = ["depth": .int(Int64(levels))]
        #expect(try await host.call("FixtureLink", "nest", arguments) == Payload(levels))
        #expect(try await onThread { try host.callAndWait("FixtureLink", "nest", arguments) } == Payload(levels))
        // Every mark was removed, so the component stops.
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("an error passes through all levels", arguments: Depth.allCases)
    func nestedError(depth: Depth) async throws {
        let host = try depth.host()
        let arguments: Payload = ["class": "FixtureLink", "selector": "throwOwn"]
        let answer = await CallForm.async.perform(host, "callOther", arguments)
        #expect(answer.error?.domain == "fixture")
        #expect(answer.error?.number == 7)
        #expect(answer.error?.details == ["why": "test"])
        #expect(answer.error?.selector == "throwOwn")
    }

    @Test("a class that the method does not find leaves its own class loaded", arguments: Depth.allCases)
    func missingInside(depth: Depth) async throws {
        let host = try depth.host()
        let arguments: Payload = ["class": "Missing", "selector": "x"]
        let answer = await CallForm.callback.perform(host, "callOther", arguments)
        #expect(answer.error?.className == "Missing")
        #expect(answer.returnValue == nil)
        #expect(answer.classIsLoad)
    }

    @Test("a component finds its folder", arguments: Depth.allCases)
    func directory(depth: Depth) async throws {
        let host = try depth.host()
        let directory = try await host.call("FixtureLink", "directory").string()
        switch depth {
        case .builtIn: #expect(directory == "")
        case .file:
            #expect(directory.hasPrefix("/"))
            #expect(FileManager.default.fileExists(atPath: directory + "/libFixtureComponent.so"))
        }
    }

    @Test("a manifest has the version of the boundary that it was built for", arguments: Depth.allCases)
    func abi(depth: Depth) throws {
        let manifest = try depth.host().fixture.manifest
        #expect(manifest.abi.map { "\($0)" } == "\(HSLINK_ABI_MAJOR).\(HSLINK_ABI_MINOR)")
        #expect(manifest.compiler == compilerVersion)
        #expect("\(manifest.version)" == "1.2.3")
    }
}
