import ComponentHost
import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

/// Two people in two browsers, and a third browser in which nobody is signed in.
@Suite("Owners in several sessions", .enabled(if: OwnerPlace.hasPages, "components are not in the package"))
struct OwnerSessionTests {
    let place: OwnerPlace
    let ada: Session
    let ida: Session
    let third: Session

    init() throws {
        place = try OwnerPlace()
        (ada, ida, third) = try (Session(id: "browser-1"), Session(id: "browser-2"), Session(id: "browser-3"))
    }

    private struct Studio: Sendable {
        let host: LinkHost
        let owner: OwnerServiceClient
        let account: AccountServiceClient
        let pages: PageServiceClient

        func signIn(_ name: String, in session: Session?) async throws {
            try await Session.with(session) { _ = try await account.signIn(name: name, password: OwnerPlace.password) }
        }

        /// The titles of the rows on the page of the owner, and its greeting.
        func seen(in session: Session?) async throws -> Seen {
            try await Session.with(session) { Seen(try await page()) }
        }

        /// The page of the session, once every section has answered.
        func page() async throws -> Page {
            var page = try await pages.page(id: "owner", after: nil)
            while page.isLoading { page = try await pages.page(id: "owner", after: page.revision) }
            return page
        }
    }

    fileprivate struct Seen: Hashable, CustomStringConvertible {
        var greeting: String?
        var rows: [String]
        var description: String { "\(greeting ?? "-"): \(rows)" }

        init(_ greeting: String?, _ rows: [String]) {
            self.greeting = greeting
            self.rows = rows
        }

        init(_ page: Page) {
            let first = page.sections.first { $0.module == "account.greeting" && $0.state == .shown }
            greeting = first?.view.texts.first
            rows = page.sections.flatMap { $0.view.all }.compactMap {
                if case .row(let row) = $0.content { row.title } else { nil }
            }
        }
    }

    /// Calls `body` with a host in which Ada and Ida are signed in in their browsers.
    private func withStudio<Value>(
        _ depth: ComponentDepth, _ names: [String] = ["Ada", "Ida"], body: (Studio) async throws -> Value
    ) async throws -> Value {
        try await place.makeAccounts()
        try place.write(
            page: """
                {"page": "owner", "sections": [
                    {"module": "account.greeting"}, {"name": "addresses", "module": "owner.addresses"}, {"module": "owner.address.new"}
                ]}
                """, to: "owner.json")
        // Without a file of its own, the component has no resources.
        for name in depth == .builtIn ? ["address", "company"] : [] {
            let page = BuiltProducts.packageDirectory.appending(
                path: "Plugins/ComponentOwner/ComponentOwner.resources/pages/\(name).json")
            try place.write(page: String(contentsOf: page, encoding: .utf8), to: "\(name).json")
        }
        let path = place.path
        return try await depth.withHost(["ComponentOwner", "EMAccount", "ComponentPages"]) { options in
            options.dataDirectory = path
        } body: { host in
            let studio = Studio(
                host: host, owner: try host.service(OwnerServiceClient.self),
                account: try host.service(AccountServiceClient.self), pages: try host.service(PageServiceClient.self))
            for name in names { _ = try await studio.account.signUp(name: name, password: OwnerPlace.password) }
            return try await body(studio)
        }
    }

    @Test("see their own addresses, forms and pages at the same time", arguments: ComponentDepth.allCases)
    func apart(depth: ComponentDepth) async throws {
        try await withStudio(depth) { studio in
            try await studio.signIn("Ada", in: ada)
            try await studio.signIn("Ida", in: ida)
            for (session, label) in [(ada, "Ada's"), (ida, "Ida's"), (third, "guest's")] {
                // By the form of the page, and it names the field that is wrong.
                func add(_ label: String) async throws {
                    _ = try await Session.with(session) {
                        let page = try await studio.page()
                        let form = try #require(page.sections.first { $0.module == "owner.address.new" })
                        return try await studio.pages.perform(
                            page: "owner", section: form.name, action: try #require(form.view.action),
                            values: ["label": label, "street": "1", "city": "X"])
                    }
                }
                let error = await #expect(throws: PageError.self) { try await add(" ") }
                guard case .invalidValue("label", _)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                try await add(label)
            }
            for _ in 0..<2 {
                // The guest without a session is another one.
                for (session, name) in [(ada, "Ada"), (ida, "Ida"), (third, "guest"), (nil, "guest")] {
                    var all: [Seen] = []
                    let isShown = await holds {
                        all.append(try await studio.seen(in: session))
                        return all.last == Seen("Welcome, \(name)", session == nil ? [] : ["\(name)'s"])
                    }
                    #expect(isShown, "\(all)")
                    // What is not shown yet is missing, but nobody sees what belongs to others.
                    #expect(all.allSatisfy { $0.rows.isEmpty || $0.rows == ["\(name)'s"] }, "\(all)")
                }
            }
            // What one has, another can neither open nor delete.
            let own = try await Session.with(ada) { try await studio.owner.addresses() }
            let url = "studio://owner/addresses/\(own[0].id)"
            #expect(try await Session.with(ada) { try await studio.host.open(url).string("label") } == "Ada's")
            for session in [ida, third, nil] {
                await #expect(throws: LinkError.self) {
                    try await Session.with(session) { try await studio.host.open(url) }
                }
                await #expect(throws: OwnerError.self) {
                    try await Session.with(session) { try await studio.owner.deleteAddress(id: own[0].id) }
                }
                await #expect(throws: PageError.self) {
                    try await Session.with(session) {
                        try await studio.pages.perform(
                            page: "owner", section: "addresses",
                            action: .call("deleteAddress", ["id": own[0].id.payload]), values: [:])
                    }
                }
            }
            #expect(try await Session.with(ada) { try await studio.owner.addresses() } == own)
        }
    }

    @Test(
        "follow a sign-in, a sign-out and each other's changes, as far as they concern them",
        arguments: ComponentDepth.allCases)
    func following(depth: ComponentDepth) async throws {
        try await withStudio(depth) { studio in
            var opened: [Window] = []
            for session in [ada, ida, third] {
                opened.append(Window(try await Session.with(session) { try await studio.pages.updates(id: "owner") }))
            }
            let windows = opened
            func see(_ expected: Seen...) async {
                let isSo = await holds { windows.map { Seen($0.page) } == expected }
                #expect(isSo, "\(windows.map { Seen($0.page) })")
            }
            let guest = Seen("Welcome, guest", [])
            await see(guest, guest, guest)
            try await studio.signIn("Ada", in: ada)
            await see(Seen("Welcome, Ada", []), guest, guest)
            let revisions = windows.map(\.page.revision)
            // The same person in another browser.
            try await studio.signIn("Ada", in: ida)
            await see(Seen("Welcome, Ada", []), Seen("Welcome, Ada", []), guest)
            #expect(windows[0].page.revision == revisions[0])
            #expect(windows[2].page.revision == revisions[2])
            let address = try await Session.with(ada) { try await studio.owner.addAddress("Home") }
            await see(Seen("Welcome, Ada", ["Home"]), Seen("Welcome, Ada", ["Home"]), guest)
            _ = try await Session.with(third) { try await studio.owner.addAddress("guest's") }
            await see(
                Seen("Welcome, Ada", ["Home"]), Seen("Welcome, Ada", ["Home"]), Seen("Welcome, guest", ["guest's"]))
            try await Session.with(ida) { try await studio.owner.deleteAddress(id: address.id) }
            await see(Seen("Welcome, Ada", []), Seen("Welcome, Ada", []), Seen("Welcome, guest", ["guest's"]))
            try await Session.with(ida) { try await studio.account.signOut() }
            await see(Seen("Welcome, Ada", []), guest, Seen("Welcome, guest", ["guest's"]))
            for window in windows { window.end() }
        }
    }

    @Test(
        "go from a list to an item, change it and delete it, signed in or not, and nobody else sees it",
        arguments: ComponentDepth.allCases)
    func items(depth: ComponentDepth) async throws {
        try await withStudio(depth) { studio in
            try await studio.signIn("Ada", in: ada)
            for (session, strangers) in [(ada, [ida, third]), (third, [ada, ida])] {
                let address = try await Session.with(session) { try await studio.owner.addAddress("Home") }
                let id = "address?id=\(address.id)"
                func perform(_ action: Action?, _ section: String, _ values: [String: String] = [:]) async throws
                    -> ActionOutcome
                {
                    try await Session.with(session) {
                        try await studio.pages.perform(
                            page: section == "addresses" ? "owner" : id, section: section,
                            action: try #require(action), values: values)
                    }
                }
                func item(in session: Session?, titled title: String? = nil) async throws -> Page {
                    // A page shows what its sections answered before until they answer again.
                    func isAwaited(_ page: Page) -> Bool {
                        guard !page.isLoading, let title else { return page.isLoading }
                        let content = page.section(named: "owner.address")?.view.content
                        return content != .card(CardContent(title: title))
                    }
                    return try await Session.with(session) {
                        var page = try await studio.pages.page(id: id, after: nil)
                        while isAwaited(page) { page = try await studio.pages.page(id: id, after: page.revision) }
                        return page
                    }
                }
                let list = try await Session.with(session) { try await studio.page() }
                let row = list.section(named: "addresses")?.view.children.first
                #expect(row?.action == .show(page: id))
                #expect(try await perform(row?.action, "addresses").page == id)
                let form = try await item(in: session).section(named: "edit")?.view
                let values = ["label": "Work", "street": "2", "city": "Y"]
                #expect(try await perform(form?.action, "edit", values) == ActionOutcome())
                let shown = try await item(in: session, titled: "Work")
                #expect(Seen(shown).rows == ["Street", "City", "Added"])
                let card = try #require(shown.section(named: "owner.address")?.view)
                for stranger in strangers {
                    await #expect(throws: PageError.unknownPage(id: id, similar: nil)) {
                        try await item(in: stranger)
                    }
                }
                let delete = card.all.compactMap(\.action).first { $0.confirmation != nil }
                let left = try await perform(delete, "owner.address")
                #expect(left == ActionOutcome(page: "owner"))
                await #expect(throws: PageError.self) { try await item(in: session, titled: "nothing") }
                try await Session.with(session) {
                    var page = try await studio.page()
                    while !Seen(page).rows.isEmpty {
                        page = try await studio.pages.page(id: "owner", after: page.revision)
                    }
                }
            }
        }
    }

    @Test("receive the changes of their own data only", arguments: ComponentDepth.allCases)
    func changes(depth: ComponentDepth) async throws {
        try await withStudio(depth) { studio in
            try await studio.signIn("Ada", in: ada)
            try await studio.signIn("Ida", in: ida)
            var streams: [AsyncThrowingStream<OwnerChange, any Error>] = []
            for session in [ada, ida, third] {
                streams.append(try await Session.with(session) { try await studio.owner.changes() })
            }
            var expected: [Int64] = []
            for session in [ada, ida, third] {
                expected.append(try await Session.with(session) { try await studio.owner.addAddress("x").id })
            }
            for session in [ada, ida, third].reversed() {
                _ = try await Session.with(session) {
                    try await studio.owner.addCompany(name: "C", position: nil, city: nil, website: nil)
                }
            }
            for (stream, id) in zip(streams, expected) {
                var seen: [OwnerChange] = []
                for try await change in stream {
                    seen.append(change)
                    if seen.count == 2 { break }
                }
                #expect(seen.map(\.item) == [.address, .company])
                #expect(seen[0].id == id)
            }
        }
    }

    @Test("many at once, each with its own user", arguments: ComponentDepth.allCases)
    func many(depth: ComponentDepth) async throws {
        let names = (0..<TestLength.rounds(40, long: 100)).map { "user \($0)" }
        try await withStudio(depth, names) { studio in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names {
                    group.addTask {
                        let session = try Session(id: name.replacingOccurrences(of: " ", with: "-"))
                        try await studio.signIn(name, in: session)
                        for count in 1...3 {
                            try await Session.with(session) {
                                _ = try await studio.owner.addAddress(name)
                                #expect(try await studio.owner.profile().name == name)
                            }
                            // A page does not wait for modules that are slow, but what it shows is its own.
                            let isShown = await holds {
                                let seen = try await studio.seen(in: session)
                                // There is none while its module is late.
                                #expect([nil, "Welcome, \(name)"].contains(seen.greeting))
                                #expect(seen.rows.allSatisfy { $0 == name })
                                return seen.greeting != nil && seen.rows.count == count
                            }
                            #expect(isShown)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await studio.seen(in: nil) == Seen("Welcome, guest", []))
        }
    }
}

/// An open page.
private final class Window: Sendable {
    private let state = Lock(Page(id: "", title: "", revision: 0, sections: []))
    private let reading = Lock<Task<Void, any Error>?>(nil)

    init(_ updates: AsyncThrowingStream<PageUpdate, any Error>) {
        let task = Task { for try await update in updates { try state.withLock { try $0.apply(update) } } }
        reading.withLock { $0 = task }
    }

    var page: Page { state.withLock { $0 } }

    func end() { reading.withLock { $0 }?.cancel() }
}
