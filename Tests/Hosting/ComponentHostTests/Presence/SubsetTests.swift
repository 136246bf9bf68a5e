import ComponentHost
import ComponentKit
import Foundation
import PageKit
import TestSupport
import Testing

@Suite("Every subset of the components")
struct SubsetTests {
    /// The folders of `Plugins/`, which can also be removed from the package.
    static let folders = CaseTable("Plugins") {
        let folder = BuiltProducts.packageDirectory.appending(path: "Plugins").path
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    static var names: [String] { folders.cases }

    /// The components that others ask for nothing: ComponentWeb is off without a port, and ComponentConsole has only pages.
    static let asides = names.filter { ["ComponentConsole", "ComponentWeb"].contains($0) }

    /// All 2^n subsets of the components that others ask for something. The asides join, each alone and all together,
    /// those that miss at most one of the others, or have at most one of them.
    static let subsets: [[String]] = {
        let others = names.filter { !asides.contains($0) }
        let all = (0..<(1 << others.count)).map { mask in
            others.enumerated().filter { mask & (1 << $0.offset) != 0 }.map(\.element)
        }
        let few = all.filter { $0.count <= 1 || $0.count >= others.count - 1 }
        let joining = asides.map { [$0] } + (asides.count > 1 ? [asides] : [])
        return all + joining.flatMap { joining in few.map { ($0 + joining).sorted() } }
    }()

    /// What components require, if it is there.
    static let optional = ["ComponentImage": ["NXService", "NXUI"], "ComponentOwner": ["EMAccount", "NXUI"]]

    @Test("the folders of the components are read")
    func hasFolders() { Self.folders.expect(atLeast: 0) }

    @Test("the host starts, the list is right, and every call answers as documented in the table", arguments: subsets)
    func subset(present: [String]) async throws {
        let data = try TemporaryDirectory()
        var options = HostOptions.quiet
        options.dataDirectory = data.path(of: "data")
        let directories = try present.map { try SharedPlugins.directory(of: $0) }
        let host = LinkHost(components: directories, includesBuiltIn: false, options: options)
        do {
            #expect(host.components.map(\.name).sorted() == present)
            #expect(host.components.allSatisfy { "\($0.state)" == "available" })
            let seen = Lock<[String]>([])
            let subscriptions = ["org.hslink.owner/changed", "org.hslink.owner/switched"].map { name in
                host.events.on(name) { _ in seen.withLock { $0.append(name) } }
            }
            // The command says the same. Starting it takes a while, so not for all.
            if present.count <= 1 || present.count >= Self.names.count - 1 {
                try await checkListing(of: directories, present)
            }

            for call in SampleCall.all where Self.names.contains(call.component) {
                let isPresent = present.contains(call.component)
                if case .performed = call.ending {
                    #expect(host.isAvailable(call.className, call.selector, kind: call.kind) == isPresent)
                }
                let answer = await answer {
                    try await host.call(call.className, call.selector, call.payload, kind: call.kind)
                }
                let parts = SampleCall.Parts(
                    hasValue: answer.returnValue != nil, performSuccess: answer.performSuccess,
                    classIsLoad: answer.classIsLoad, code: answer.error?.code)
                #expect(parts == call.expected(isPresent: isPresent), "\(call): \(String(describing: answer.error))")
                #expect(host.isLoaded(call.className) == isPresent)
            }
            if present.contains("ComponentOwner") {
                // No user has signed in; without EMAccount none could.
                let profile = try await host.call("OwnerLink", "profile")
                #expect(try profile.bool("guest"))
                #expect(try profile.int("addresses") == 1)
            }
            if present.contains("ComponentPages") { try await checkPages(of: host, present) }
            // Who listens is told that a user has signed in, whether or not the component that knows users is there.
            let user: Payload = [
                "id": .string(UUID().uuidString), "name": "Ada", "createdAt": .date(Timestamp(seconds: 0)),
            ]
            let outcome = await host.events.deliver("org.hslink.account/signedIn", ["user": user])
            let isOwnerPresent = present.contains("ComponentOwner")
            #expect(outcome.isSuccess)
            #expect(outcome.handled == (isOwnerPresent ? 1 : 0))
            let expected = isOwnerPresent ? ["org.hslink.owner/changed", "org.hslink.owner/switched"] : []
            #expect(await holds { seen.withLock { $0 } == expected })
            for subscription in subscriptions { await subscription.remove() }
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        }
    }

    /// The pages of the sample application, and the component that brings each along.
    static let pages = [
        "account": "EMAccount", "address": "ComponentOwner", "company": "ComponentOwner",
        "gallery": "ComponentImage", "home": "ComponentPages", "owner": "ComponentOwner",
        "picture": "ComponentImage", "player": "ComponentVideo", "sign-in": "EMAccount",
    ]

    /// The pages of ComponentConsole, besides one for each component.
    static let consolePages = ["", ".counters", ".events", ".log", ".routes", ".times"].map { "console\($0)" }

    /// Every page answers, with the sections of the components that are there.
    private func checkPages(of host: LinkHost, _ present: [String]) async throws {
        let pages = try host.service(PageServiceClient.self)
        let summaries = try await pages.pages()
        let hasConsole = present.contains("ComponentConsole")
        let ofConsole = hasConsole ? Self.consolePages + present.map { "console.\($0)" } : []
        let expected = Self.pages.filter { present.contains($0.value) }.map(\.key) + ofConsole
        #expect(summaries.map(\.id) == expected.sorted())
        for summary in summaries where !["company", "picture", "sign-in"].contains(summary.id) {
            // There is one address, and no picture. Where a sign-in leads back to is another page.
            let id = summary.values.isEmpty ? summary.id : "\(summary.id)?id=1"
            var page = try await pages.page(id: id, after: nil)
            while page.isLoading { page = try await pages.page(id: id, after: page.revision) }
            let offered = Set(page.sections.compactMap(\.component))
            #expect(offered.isSubset(of: present))
            #expect(page.sections.allSatisfy { $0.state != .failed }, "\(page)")
            let framing = ofConsole.contains(page.id) ? "ComponentConsole" : "NXUI"
            #expect((page.frame != nil) == present.contains(framing))
            let links = page.frame?.view.views(of: .navigation).compactMap(\.shownPage) ?? []
            #expect(links.allSatisfy { expected.contains($0) }, "\(page.id): \(links)")
            guard framing == "NXUI", page.frame != nil else { continue }
            // Whatever is missing, all pages that need no values are reached from all others.
            let first = ["home", "owner", "gallery", "player", "account", "console"].filter { expected.contains($0) }
            #expect(links == (summary.values.isEmpty ? [] : ["owner"]) + first, "\(page.id)")
        }
    }

    private func checkListing(of directories: [String], _ present: [String]) async throws {
        // Without a directory, the host would look in its usual places.
        let empty = try TemporaryDirectory()
        let plugins = directories.isEmpty ? [empty.path] : directories
        let listed = try await ProgramRun.of(
            BuiltProducts.hslink, ["list", "--json"] + plugins.flatMap { ["--plugins", $0] })
        #expect(listed.status == 0)
        let listing = try JSONDecoder().decode(Listing.self, from: Data(listed.standardOutput.utf8))
        #expect(listing.components.map(\.name).sorted() == present)
        for component in listing.components {
            #expect(component.state == "available")
            // Only its missing optional requirements are reported.
            let missing = (Self.optional[component.name] ?? []).filter { !present.contains($0) }
            #expect((component.reason != nil) == !missing.isEmpty, "\(component)")
        }
    }

    private struct Listing: Decodable {
        struct Component: Decodable {
            let name: String
            let state: String
            let reason: String?
        }

        let components: [Component]
    }
}

extension ViewNode {
    /// The page that the view leads to; nil if it leads to none.
    fileprivate var shownPage: String? {
        guard case .show(let page)? = action?.effect else { return nil }
        return page
    }
}
