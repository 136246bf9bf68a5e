import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

/// The class that the host provides in tests of services.
final class HostAccounts: LinkClass {
    init(_ context: ComponentContext) {}

    static let services = ["com.example.account/1"]
    static let methods: [LinkMethod<HostAccounts>] = [.classMethod("signIn") { _ in "host" }]
}

@Suite("Finding services through hslink.Services")
struct ServiceFindingTests {
    static let service: Payload = ["service": "com.example.account/1"]

    private func found(_ component: String, _ version: String, _ className: String = "AccountsLink") -> Payload {
        ["class": .string(className), "component": .string(component), "version": .string(version)]
    }

    @Test("a component finds a provider that offers more than it was compiled against", arguments: ["Old", "New"])
    func fits(form: String) async throws {
        try await withHost(["Accounts\(form)", "Shop"]) { host, _ async throws in
            let answer = await host.blockingCall("ShopLink", "find", Self.service)
            #expect(answer.returnValue == found("Accounts", form == "Old" ? "1.0.0" : "1.1.0"), "\(answer)")
            // Asking loads nothing.
            #expect(host.state(of: "Accounts")?.description == "available")
            #expect(!host.isLoaded("AccountsLink"))
            #expect(await host.blockingCall("ShopLink", "provides", Self.service).returnValue == true)
        }
    }

    @Test("an incompatible provider is refused with both sides; the host's own code is unaffected")
    func drift() async throws {
        try await withHost(["AccountsDrifted", "Shop"]) { host, _ async throws in
            for _ in 0..<2 {
                let error = await host.blockingCall("ShopLink", "find", Self.service).error
                #expect(error?.code == .requirementNotMet)
                #expect(
                    error?.message == """
                        the service com.example.account/1 of Accounts 2.0.0 differs from the one that the caller was \
                        compiled against (- caller, + provider):
                        signIn.parameters.name: different type
                        - name: String
                        + name: Int
                        User.nick: removed
                        - nick: String?
                        """)
            }
            #expect(await host.blockingCall("ShopLink", "provides", Self.service).returnValue == false)
            #expect(await host.blockingCall("hslink.Services", "provides", Self.service).returnValue == true)
            // The test program has no note about the service.
            #expect(
                await host.blockingCall("hslink.Services", "find", Self.service).returnValue
                    == found("Accounts", "2.0.0"))
            #expect(host.isAvailable("hslink.Services", "find", kind: .class))
            #expect(!host.components.contains { $0.name == "host" })
            #expect(host.state(of: "host") == nil)
        }
    }

    @Test("the program's own contract is compared for its own code")
    func ownContract() async throws {
        var options = HostOptions.quiet
        let text = """
            {"name": "N", "version": "1.0.0", "services": [{"name": "com.example.account/1", "protocol": "S",
             "selectors": [{"name": "signOut"}]}]}
            """
        options.contract = try Manifest(Payload(json: text)).contract
        try await withHost(["AccountsOld"], options: options) { host, _ async throws in
            let error = await host.blockingCall("hslink.Services", "find", Self.service).error
            #expect(error?.code == .requirementNotMet)
            #expect(error?.message.contains("\nsignOut: removed\n- signOut()") == true, "\(String(describing: error))")
        }
    }

    @Test("a missing provider is reported")
    func nobody() async throws {
        try await withHost(["Shop", "AccountsOld"]) { host, _ async throws in
            let none = await host.blockingCall("ShopLink", "find", ["service": "com.none/1"]).error
            #expect(none?.code == .classNotFound)
            #expect(none?.message == "neither the host nor a component provides the service com.none/1")
            let other = await host.blockingCall(
                "ShopLink", "find", ["service": "com.example.account/1", "component": "Else"]
            ).error
            #expect(other?.code == .classNotFound)
            #expect(
                other?.message
                    == "no component Else provides the service com.example.account/1; it is provided by Accounts 1.0.0")
            let named = await host.blockingCall(
                "ShopLink", "find", ["service": "com.example.account/1", "component": "Accounts"])
            #expect(named.returnValue == found("Accounts", "1.0.0"))
            #expect(await host.blockingCall("ShopLink", "provides", ["service": "com.none/1"]).returnValue == false)
            #expect(await host.blockingCall("ShopLink", "find").error?.code == .payloadMismatch)
        }
    }

    @Test("the only provider, if it failed, is reported with its reason")
    func failed() async throws {
        try await withHost(["AccountsOld", "Shop"]) { host, directory async throws in
            // The file is replaced before it is loaded.
            try directory.write("changed", to: "libAccountsOld.so")
            #expect(await host.blockingCall("AccountsLink", "version").error?.code == .notLoaded)
            let error = await host.blockingCall("ShopLink", "find", Self.service).error
            #expect(error?.code == .notLoaded)
            #expect(
                error?.message.hasPrefix(
                    "the service com.example.account/1 is provided by AccountsLink of Accounts 1.0.0, which cannot be used: "
                )
                    == true, "\(String(describing: error))")
            #expect(await host.blockingCall("ShopLink", "provides", Self.service).returnValue == false)
            let provider = try #require(host.providers(of: "com.example.account/1").first)
            #expect(!provider.isChosen)
            #expect(provider.state.description == "failed")
            #expect(!provider.reason.isEmpty)
        }
    }

    @Test("the host's own class comes first; a component that is asked for by name is found")
    func hostClass() async throws {
        try await withHost(["AccountsOld", "AccountsNew", "Shop"], provides: [ProvidedClass(HostAccounts.self)]) {
            host, _ in
            let first = await host.blockingCall("ShopLink", "find", Self.service)
            #expect(first.returnValue == found("host", "0.0.0", "HostAccounts"), "\(first)")
            let named: Payload = ["service": "com.example.account/1", "component": "Accounts"]
            #expect(await host.blockingCall("ShopLink", "find", named).returnValue == found("Accounts", "1.1.0"))
            let providers = host.providers(of: "com.example.account/1")
            #expect(providers.map(\.component) == ["host", "Accounts", "Accounts"])
            #expect(providers.map(\.version) == [nil, Version(1, 1, 0), Version(1, 0, 0)])
            #expect(providers.map(\.isChosen) == [true, false, false])
            // The host's own classes are loaded together, by the first call to `hslink.Services`.
            #expect(providers.map(\.state.description) == ["running", "available", "shadowed"])
            #expect(host.services.map(\.className) == ["HostAccounts", "AccountsLink", "AccountsLink"])
            #expect(host.providers(of: "com.none/1").isEmpty)
        }
    }

    @Test("a provider displaced by a file without the service is reported")
    func shadowed() async throws {
        try await withHost(["AccountsOld", "Shop"]) { host, directory async throws in
            let file = directory.file("libHigher.so")
            try Data(try CompiledLibrary.component("Accounts", version: "3.0.0")).write(to: URL(filePath: file))
            try directory.setMode(0o755, of: file)
            host.rescan()
            let error = await host.blockingCall("ShopLink", "find", Self.service).error
            #expect(error?.code == .notLoaded)
            #expect(error?.cause?.code == .shadowed)
            #expect(
                error?.message == "the service com.example.account/1 is provided by AccountsLink of Accounts 1.0.0, "
                    + "which cannot be used: \(file) provides the component in the same version or a higher one")
        }
    }

    @Test("a rescan finds new providers")
    func rescan() async throws {
        try await withHost(["Shop", "AccountsDrifted"]) { host, directory async throws in
            #expect(await host.blockingCall("ShopLink", "find", Self.service).error?.code == .requirementNotMet)
            try FileManager.default.removeItem(atPath: directory.file("libAccountsDrifted.so"))
            try directory.add("AccountsOld")
            host.rescan()
            #expect(await host.blockingCall("ShopLink", "find", Self.service).returnValue == found("Accounts", "1.0.0"))
        }
    }

    @Test("after stop no provider is found")
    func stopped() async throws {
        try await withHost(["AccountsOld"]) { host, _ async throws in
            await host.stop()
            #expect(await host.blockingCall("hslink.Services", "find", Self.service).error?.code == .stopped)
        }
    }

    @Test("required services and selectors are met by real files, and loaded first")
    func requirements() async throws {
        try await withHost(["NeedsAccounts", "CGood", "AccountsOld"]) { host, _ async throws in
            let info = try #require(host.info("NeedsAccounts"))
            #expect(
                info.reason == "lacks service com.example.none/1: "
                    + "neither the host nor a component provides the service com.example.none/1")
            #expect(await host.blockingCall("NeedsAccountsLink", "find", Self.service).performSuccess)
            #expect(host.isLoaded("AccountsLink"))
            #expect(host.isLoaded("CGoodLink"))
        }
    }

    @Test("if the provider of a required service cannot be loaded, the next best is used")
    func nextBest() async throws {
        try await withHost(["NeedsAccounts", "CGood", "AccountsOld"]) { host, directory async throws in
            // Declares the service, but has no code.
            let service = #", "classes": [{"name": "Empty", "provides": ["com.example.account/1"]}]"#
            let file = directory.file("libHollow.so")
            let bytes = try CompiledLibrary.component("Hollow", version: "9.0.0", more: service)
            try Data(bytes).write(to: URL(filePath: file))
            try directory.setMode(0o755, of: file)
            host.rescan()
            #expect(host.providers(of: "com.example.account/1").first { $0.isChosen }?.component == "Hollow")
            #expect(
                await host.blockingCall("NeedsAccountsLink", "find", Self.service).returnValue
                    == found("Accounts", "1.0.0"))
            #expect(host.failure(of: "Hollow")?.code == .missingEntry)
            #expect(host.providers(of: "com.example.account/1").map(\.isChosen) == [false, true])
        }
    }

    @Test("an incompatible required service refuses the component, with all unmet requirements")
    func unmet() async throws {
        try await withHost(["NeedsAccounts", "AccountsDrifted"]) { host, _ async throws in
            let error = try #require(host.failure(of: "NeedsAccounts"))
            #expect(error.code == .requirementNotMet)
            #expect(
                error.message == "NeedsAccounts → com.example.account/1: "
                    + "Accounts 2.0.0 provides it in an incompatible form: "
                    + "signIn.parameters.name: different type (name: String / name: Int); "
                    + "User.nick: removed (nick: String?); "
                    + "NeedsAccounts → CGoodLink: neither the host nor a component has the class CGoodLink")
            #expect(await host.blockingCall("NeedsAccountsLink", "find", Self.service).error?.code == .notLoaded)
        }
    }
}
