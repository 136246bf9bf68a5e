import ComponentKit
import FixtureContract
import Foundation
import HostContract
import TestSupport
import Testing

@testable import ComponentHost

@Suite("What a host says about itself")
struct HostContentsTests {
    @Test("the contents are what the host knows of its components")
    func contents() async throws {
        try await withHost(["CGood", "VersionedOld", "VersionedNew", "AccountsOld", "NeedsMissing", "TextFile"]) {
            host, _ async throws in
            let service = try host.service(HostServiceClient.self)
            try await service.load(component: "CGood")
            let contents = try await service.contents()
            #expect(contents.process == Int(getpid()))
            let infos = host.components
            #expect(contents.components.map(\.name) == infos.map(\.name))
            #expect(
                contents.components.map { "\($0.name) \($0.version) \($0.state)" } == [
                    "Accounts 1.0.0 available", "CGood 1.0.0 running", "Versioned 2.0.0 available",
                    "NeedsMissing 1.0.0 failed", "Versioned 1.0.0 shadowed",
                ])
            for (row, info) in zip(contents.components, infos) {
                #expect(row.state == "\(info.state)")
                #expect(row.reason == info.reason)
                #expect(row.file == info.path)
                #expect(row.layer == info.manifest.layer)
                let code: LinkError.Code? = if case .failed(let error) = info.state { error.code } else { nil }
                #expect(row.code == code?.description)
                #expect((row.recovery == nil) == (code == nil))
            }
            #expect(contents.services.map(\.service) == ["com.example.account/1"])
            #expect(contents.services.map(\.className) == ["AccountsLink"])
            #expect(contents.rejectedFiles.map(\.code) == ["notElf"])
            #expect(contents.rejectedFiles.map(\.reason) == host.catalog.rejectedFiles.map(\.reason))
            #expect(contents.rejectedDirectories.isEmpty)
            #expect(contents.conflicts.isEmpty)
            #expect(HostContents(host, process: Int(getpid())) == contents)
        }
    }

    @Test("every host provides the service, and none lists it among those of its components", arguments: Depth.allCases)
    func provided(depth: Depth) async throws {
        let host = try depth.host()
        #expect(host.link.provides(HostServiceClient.self))
        #expect(host.provides(HostServiceClient.self))
        #expect(try await host.call("HostAskingLink", "isOffered") == true)
        let provider = try #require(host.providers(of: "org.hslink.host/1").first)
        #expect(provider.component == "host")
        #expect(provider.className == "hslink.Host")
        #expect(provider.isChosen)
        #expect(!host.services.contains { $0.service == "org.hslink.host/1" })
        #expect(host.isAvailable("hslink.Host", "contents"))
        await host.stop()
    }

    @Test("a host without components answers, too")
    func empty() async throws {
        let host = LinkHost(components: ["/nonexistent"], includesBuiltIn: false, options: .quiet)
        let contents = try await host.service(HostServiceClient.self).contents()
        #expect(contents.components.isEmpty)
        #expect(contents.rejectedDirectories.map(\.path) == ["/nonexistent"])
        await host.stop()
        #expect(throws: LinkError.self) { try host.service(HostServiceClient.self) }
    }

    @Test("components ask through the same client, or by name in any language")
    func components() async throws {
        try await withHost(["CGood", "NeedsMissing", "FixtureComponent"]) { host, _ async throws in
            let failed: [String] = try await host.call("HostAskingLink", "failed").value()
            #expect(failed == ["NeedsMissing: add the component NotThere, then rescan"])
            let inC = try await host.value(
                "CGoodLink", "viaHost", ["class": "hslink.Host", "selector": "contents", "kind": "object"])
            let contents: HostContents = try inC.value()
            #expect(contents.components.map(\.name) == ["CGood", "FixtureComponent", "NeedsMissing"])
        }
    }

    @Test("a component is described with its manifest and its resources")
    func details() async throws {
        try await withPlugins { directory in
            try directory.add("CGood")
            let folder = directory.file("CGood.resources")
            for path in [folder, "\(folder)/de"] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                try directory.setMode(0o755, of: path)
            }
            try directory.write("abc", to: "CGood.resources/text")
            try directory.write("abcd", to: "CGood.resources/de/text")
            try directory.write("", to: "CGood.resources/open")
            try directory.setMode(0o666, of: "\(folder)/open")
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let service = try host.service(HostServiceClient.self)
            let details = try await service.component(name: "CGood")
            #expect(details.component == (try await service.contents()).components.first)
            #expect(details.manifest == host.info("CGood")?.manifest.json)
            #expect(try details.manifest.string("name") == "CGood")
            #expect(details.resources.map(\.name) == ["de/text", "open", "text"])
            #expect(details.resources.map(\.size) == [4, nil, 3])
            #expect(details.resources.map { $0.problem == nil } == [true, false, true])
            #expect(details.resources[1].problem?.contains("chmod") == true, "\(details.resources)")
            #expect(host.state(of: "CGood")?.description == "available")
            // Those of a directory that others can change are named, and the host opens none of them.
            try directory.setMode(0o777, of: folder)
            let open = try await service.component(name: "CGood")
            #expect(open.resources.map(\.name) == ["de/text", "open", "text"])
            #expect(open.resources.allSatisfy { $0.problem != nil })
            #expect(open.component.recovery == "fix its resources as the reason says")
            await host.stop()
            // Unless its rules say that it may.
            var options = HostOptions.quiet
            options.trust = .unchecked
            let lenient = LinkHost(components: [directory.path], includesBuiltIn: false, options: options)
            let all = try await lenient.service(HostServiceClient.self).component(name: "CGood").resources
            #expect(all.map(\.size) == [4, 0, 3])
            #expect(all.allSatisfy { $0.problem == nil })
            await lenient.stop()
        }
    }

    @Test("a component that does not exist is reported", arguments: ["Nobody", "host", ""])
    func missing(name: String) async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let service = try host.service(HostServiceClient.self)
            let error = await #expect(throws: LinkError.self) { try await service.component(name: name) }
            #expect(error?.code == .classNotFound)
            #expect(error?.message == "no component \(name) was found")
        }
    }

    @Test("times are nil unless they are recorded", arguments: [true, false])
    func times(isRecorded: Bool) async throws {
        var options = HostOptions.quiet
        options.recordsTimes = isRecorded
        let host = try Depth.builtIn.host(options: options)
        let service = try host.service(HostServiceClient.self)
        #expect((try await service.times() == nil) == !isRecorded)
        try await service.load(component: "FixtureComponent")
        await host.events.deliver(Changed(value: 1))
        let times = try await service.times()
        #expect((times == nil) == !isRecorded)
        guard let times else {
            await host.stop()
            return
        }
        #expect(times.contains { $0.component == "FixtureComponent" && $0.activity == "start" && $0.count == 1 })
        let handlers = try #require(times.first { $0.activity == Changed.eventName })
        #expect(handlers.count == 3)
        #expect(handlers.longest > 0 && handlers.longest <= handlers.total)
        #expect(times.map(\.total) == times.map(\.total).sorted(by: >))
        await host.stop()
    }
}
