import ComponentKit
import Foundation
import HostContract
import TestSupport
import Testing

@testable import ComponentHost

@Suite("What a host does when it is asked through its service")
struct HostActionTests {
    @Test("a component is loaded after what it requires")
    func load() async throws {
        try await withHost(["NeedsAccounts", "CGood", "AccountsOld"]) { host, _ async throws in
            let service = try host.service(HostServiceClient.self)
            try await service.load(component: "NeedsAccounts")
            #expect(host.components.allSatisfy { $0.state.description == "running" })
            // Loading again has no effect.
            try await service.load(component: "NeedsAccounts")
            let error = await #expect(throws: LinkError.self) { try await service.load(component: "Nobody") }
            #expect(error?.code == .classNotFound)
            #expect(error?.message == "no component Nobody was found")
        }
    }

    @Test("a component that fails is reported with its reason, and loads after a retry")
    func retry() async throws {
        try await withHost(["CreateFailsOnce", "CGood"]) { host, _ async throws in
            let service = try host.service(HostServiceClient.self)
            #expect(try await service.retry(component: "CreateFailsOnce") == false)
            for _ in 0..<2 {
                let error = await #expect(throws: LinkError.self) {
                    try await service.load(component: "CreateFailsOnce")
                }
                #expect(error?.code == .createFailed)
                #expect(error?.message == "its start failed: not the first time")
                #expect(error?.component == "CreateFailsOnce")
            }
            let row = try await service.component(name: "CreateFailsOnce").component
            #expect(row.state == "failed")
            #expect(row.code == "createFailed")
            #expect(row.recovery == "fix the reported problem, then retry")
            #expect(try await service.retry(component: "CreateFailsOnce"))
            #expect(try await service.retry(component: "CreateFailsOnce") == false)
            try await service.load(component: "CreateFailsOnce")
            let recovered = try await service.component(name: "CreateFailsOnce").component
            #expect(recovered.state == "running")
            #expect(recovered.recovery == nil)
            // In memory, unknown.
            for name in ["CreateFailsOnce", "Nobody"] { #expect(try await service.retry(component: name) == false) }
        }
    }

    @Test("what a scan has refused is not retried before the files change, and a rescan says what has changed")
    func rescan() async throws {
        try await withHost(["NeedsCycleA"]) { host, directory async throws in
            let service = try host.service(HostServiceClient.self)
            #expect(try await service.retry(component: "NeedsCycleA") == false)
            let failed = try await service.component(name: "NeedsCycleA").component
            #expect(failed.code == "requirementNotMet")
            #expect(failed.recovery == "add the component NeedsCycleB, then rescan")
            #expect(try await service.rescan() == [])
            try directory.add("CGood")
            let path = directory.file("libCGood.so")
            let changes = try await service.rescan()
            #expect(changes.count == 1)
            #expect(changes.first?.hasPrefix("CGood: appeared, version 1.0.0") == true, "\(changes)")
            try await service.load(component: "CGood")
            try FileManager.default.removeItem(atPath: path)
            let gone = try await service.rescan()
            #expect(gone.count == 1 && gone[0].hasPrefix("CGood: vanished"), "\(gone)")
            let row = try await service.component(name: "CGood").component
            #expect(row.isFileGone)
            #expect(row.recovery == "put its file back before restarting the host")
        }
    }

    @Test("a component may load others, and itself")
    func byComponent() async throws {
        try await withHost(["FixtureComponent", "CGood", "CreateFails"]) { host, _ async throws in
            _ = try await host.call("HostAskingLink", "load", ["component": "CGood"])
            #expect(host.state(of: "CGood")?.description == "running")
            // Loaded already.
            _ = try await host.call("HostAskingLink", "load", ["component": "FixtureComponent"])
            let error = await #expect(throws: LinkError.self) {
                _ = try await host.call("HostAskingLink", "load", ["component": "CreateFails"])
            }
            #expect(error?.code == .createFailed)
        }
    }

    /// What a component was compiled against, and the beginning of why it cannot be loaded; nil if it can.
    static let consumers: [(selectors: String, reason: String?)] = [
        (#"{"name": "contents"}"#, nil),
        (#"{"name": "load", "parameters": {"component": "String"}}, {"name": "rescan"}"#, nil),
        (#"{"name": "contents"}, {"name": "restart"}"#, "restart: removed (restart())"),
        (
            #"{"name": "load", "parameters": {"component": "Int"}}"#,
            "load.parameters.component: different type (component: Int / component: String)"
        ),
    ]

    @Test("a component that was compiled against another form of the service is told so", arguments: consumers)
    func drift(selectors: String, reason: String?) async throws {
        let service = "org.hslink.host/1"
        let more = """
            , "requires": [{"service": "\(service)"}],
             "services": [{"name": "\(service)", "protocol": "HostService", "selectors": [\(selectors)]}]
            """
        try await withHost(["CGood"]) { host, directory async throws in
            let file = directory.file("libOther.so")
            try Data(try CompiledLibrary.component("Other", more: more)).write(to: URL(filePath: file))
            try directory.setMode(0o755, of: file)
            let client = try host.service(HostServiceClient.self)
            #expect(try await client.rescan().count == 1)
            let row = try await client.component(name: "Other").component
            guard let reason else { return #expect(row.state == "available", "\(row.reason)") }
            #expect(row.state == "failed")
            #expect(
                row.reason == "Other → \(service): the host provides it in an incompatible form: \(reason)",
                "\(row.reason)")
            #expect(
                row.recovery
                    == "add a component that provides the service \(service) as Other requires it, then rescan")
        }
    }
}
