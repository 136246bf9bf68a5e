import ComponentHost
import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentOwner

/// A list on a page, and the form that adds to it.
private struct OwnerList: Sendable, CustomTestStringConvertible {
    let list: String
    let form: String
    /// What is filled in.
    let values: [String: String]
    /// What the list shows of it.
    let title: String
    let detail: String
    /// The page of an item.
    let page: String
    let deletion: String
    /// What is filled in to change it, and the titles of what is shown then.
    let change: [String: String]
    let changed: [String]
    let testDescription: String

    static let all = [
        OwnerList(
            list: "owner.addresses", form: "owner.address.new",
            values: [
                "label": "Home", "street": "12 St James's Sq\nFlat 2", "city": "London", "postalCode": "SW1Y 4JH",
            ],
            title: "Home", detail: "12 St James's Sq Flat 2, SW1Y 4JH London", page: "address",
            deletion: "deleteAddress",
            change: ["label": "Home", "street": "1", "city": "Turin"], changed: ["Street: 1", "City: Turin"],
            testDescription: "addresses"),
        OwnerList(
            list: "owner.companies", form: "owner.company.new",
            values: ["name": "Analytical\nEngines", "position": "Programmer"],
            title: "Analytical Engines", detail: "Programmer", page: "company",
            deletion: "deleteCompany", change: ["name": "Engines", "website": "x.example"],
            changed: ["Website: x.example"], testDescription: "companies"),
    ]
}

extension LinkHost {
    /// Returns the figures of the owner's card, in order.
    fileprivate func figures() async throws -> [String] {
        try await view("owner.card").all.compactMap {
            if case .stat(let stat) = $0.content { stat.value } else { nil }
        }
    }
}

extension LinkHost {
    /// Returns what the rows of an item say.
    fileprivate func rows(of module: String) async throws -> [String] {
        try await view(module, data: ["id": 1]).all.compactMap {
            if case .row(let row) = $0.content { "\(row.title): \(row.detail ?? "")" } else { nil }
        }
    }
}

@Suite("Pages of the owner")
struct OwnerPageTests {
    @Test(
        "a list shows what is stored, and what its form and its rows change",
        arguments: ComponentDepth.allCases, OwnerList.all)
    private func lists(depth: ComponentDepth, list: OwnerList) async throws {
        try await depth.withOwner { host, _ in
            let empty = try await host.view(list.list)
            #expect(empty.children == [] && empty.sideActions.map(\.effect) == [.show(page: "owner")])
            #expect(try await host.figures() == ["0", "0"])
            let form = try await host.view(list.form)
            #expect(Set(form.fields.map(\.name)).isSuperset(of: list.values.keys))
            try await host.perform(form.action, of: list.form, list.values)
            #expect(try await host.figures().sorted() == ["0", "1"])

            let rows = try await host.view(list.list).children
            let row = try #require(rows.first)
            #expect(rows.count == 1 && row.key == "1")
            #expect(try await host.view(list.list).sideActions == [])
            // A page may have the form here, too.
            let both = try await host.view(list.list, data: ["form": true])
            #expect(both.children.map(\.content.kind) == ["card", "list"] && both.children[1].children == rows)
            #expect(both.fields == form.fields)
            #expect(row.content == .row(RowContent(title: list.title, detail: list.detail)))
            #expect(row.action == .show(page: list.page, ["id": 1]))
            let deletion = Action.call(
                list.deletion, ["id": 1], title: "Delete",
                confirm: row.sideActions.first?.confirmation, role: .destructive)
            #expect(row.sideActions == [deletion])
            #expect(deletion.confirmation?.contains(list.title) == true)

            try await host.perform(deletion, of: list.list)
            #expect(try await host.view(list.list).children == [])
            let error = await #expect(throws: LinkError.self) { try await host.perform(deletion, of: list.list) }
            guard case OwnerError.notFound? = error?.original else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(
        "an item is shown with all its fields, changed and deleted",
        arguments: ComponentDepth.allCases, OwnerList.all)
    private func item(depth: ComponentDepth, list: OwnerList) async throws {
        try await depth.withOwner { host, _ in
            try await host.perform(try await host.view(list.form).action, of: list.form, list.values)
            let (detail, edit) = ("owner.\(list.page)", "owner.\(list.page).edit")
            let shown = try await host.view(detail, data: ["id": 1])
            let rows = try await host.rows(of: detail)
            for (field, value) in list.values where value != list.values["label"] && value != list.values["name"] {
                #expect(rows.contains { $0.hasSuffix(": \(value)") }, "\(field): \(rows)")
            }
            #expect(rows.last?.hasPrefix("Added: 2") == true)
            // The form has what is stored, and takes it as it is.
            let form = try await host.view(edit, data: ["id": 1])
            let stored: [String: String] = form.fields.reduce(into: [:]) { $0[$1.name] = $1.writtenValue }
            #expect(stored == list.values)
            for field in form.fields { #expect(throws: Never.self) { try field.value(of: field.writtenValue ?? "") } }
            try await host.perform(form.action, of: edit, list.change)
            #expect(try await host.rows(of: detail).dropLast() == list.changed[...])
            let error = await #expect(throws: LinkError.self) {
                try await host.perform(form.action, of: edit, list.change.mapValues { _ in " " })
            }
            guard case PageError.invalidValue? = error?.original else {
                Issue.record("\(String(describing: error))")
                return
            }
            let buttons = shown.all.compactMap(\.action)
            #expect(buttons.count == 1)
            #expect(buttons.last?.confirmation?.contains(list.title) == true)
            let answer = try await host.perform(buttons.last, of: detail)
            #expect(ActionOutcome(answer: answer) == ActionOutcome(page: "owner"))
            #expect(try await host.view(list.list).children == [])
            for module in [detail, edit] {
                let error = await #expect(throws: LinkError.self) { try await host.view(module, data: ["id": 1]) }
                guard case PageError.unknownPage? = error?.original else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            await #expect(throws: LinkError.self) { try await host.perform(form.action, of: edit, list.change) }
        }
    }

    @Test(
        "a form is told which field is wrong, and nothing changes",
        arguments: [
            ("owner.address.new", ["label": " ", "street": "a\nb", "city": "c"], "label"),
            ("owner.address.new", ["label": "Two\nlines", "street": "a", "city": "\t"], "city"),
            ("owner.address.new", ["label": "a", "street": "\u{1B}[0m", "city": "c"], "street"),
            ("owner.address.new", ["label": "a", "street": "b", "city": "c", "country": longText], "country"),
            ("owner.address.new", ["label": "a", "street": hugeText, "city": "c"], "street"),
            ("owner.company.new", ["name": ""], "name"),
            ("owner.company.new", ["name": "a", "website": "\u{0}"], "website"),
        ])
    func refused(form: String, values: [String: String], field: String) async throws {
        try await ComponentDepth.file.withOwner { host, _ in
            let empty = try await host.view(form)
            let error = await #expect(throws: LinkError.self) {
                try await host.perform(empty.action, of: form, values)
            }
            guard case PageError.invalidValue(field, _)? = error?.original else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await host.figures() == ["0", "0"])
            // All readers of the page see the same form: nothing of what was written is in it.
            #expect(try await host.view(form) == empty)
        }
    }

    @Test("a change makes pages ask again, whoever makes it", arguments: ComponentDepth.allCases)
    func changes(depth: ComponentDepth) async throws {
        try await depth.withOwner { host, owner in
            var changes = host.events.stream(PageModuleChanged.self).makeAsyncIterator()
            let home = try await owner.addAddress("home")
            let ofAddresses = ["owner.card", "owner.addresses", "owner.address", "owner.address.edit"]
            for module in ofAddresses { #expect(await changes.next() == PageModuleChanged(module)) }
            let row = try await host.view("owner.addresses").children.first { $0.key == "\(home.id)" }
            try await host.perform(row?.sideActions.first, of: "owner.addresses")
            for module in ofAddresses { #expect(await changes.next() == PageModuleChanged(module)) }
            _ = try await owner.addCompany(name: "a", position: nil, city: nil, website: nil)
            for module in ["owner.card", "owner.companies", "owner.company", "owner.company.edit"] {
                #expect(await changes.next() == PageModuleChanged(module))
            }
        }
    }

    @Test(
        "with another owner, pages ask again and show nothing of the one before",
        .enabled(if: OwnerPlace.hasAccounts, "EMAccount is not in the package"))
    func switched() async throws {
        let place = try OwnerPlace()
        try await place.makeAccounts("Ada")
        try await place.withHost("ComponentOwner", "EMAccount") { host, _ in
            _ = try await host.service(OwnerServiceClient.self).addAddress("guest's")
            #expect(try await host.view("owner.card").owner?.title == "Guest")

            let changes = host.events.stream(PageModuleChanged.self)
            let account = try host.service(AccountServiceClient.self)
            for step in 0..<2 {
                if step == 0 {
                    _ = try await account.signIn(name: "Ada", password: OwnerPlace.password)
                } else {
                    try await account.signOut()
                }
                var missing = Set(OwnerModule.allCases.map(\.rawValue))
                for await change in changes {
                    missing.remove(change.module)
                    if missing.isEmpty { break }
                }
                #expect(try await host.view("owner.card").owner?.title == (step == 0 ? "Ada" : "Guest"))
                #expect(try await host.view("owner.addresses").children.count == step)
            }
        }
    }

    @Test("every module that changes is offered", arguments: ComponentDepth.allCases)
    func modules(depth: ComponentDepth) async throws {
        try await depth.withOwner { host, _ in
            let modules = host.pageModules.filter { $0.component == "ComponentOwner" }
            // The forms are always the same.
            let forms = ["owner.address.new", "owner.company.new"]
            #expect(Set(modules.map(\.name)) == Set(OwnerModule.allCases.map(\.rawValue) + forms))
            #expect(modules.allSatisfy { $0.problem == nil })
        }
    }

    @Test("its pages are among its resources")
    func files() async throws {
        try await ComponentDepth.file.withOwner { host, _ in
            try await host.checkPages(
                of: "ComponentOwner", ["address.json", "company.json", "owner.json"], foreign: ["account.greeting"])
        }
    }

    @Test("a long list is shown in parts, says how many more there are, and fits on a page")
    func long() throws {
        let text = String(repeating: "😀", count: 200)
        func list(parts: Int) -> ItemList {
            let context = PageContext(page: "owner", section: "list", parts: parts)
            return ItemList(Array(1...ItemList.most + 5), on: context) { number in
                ItemList.Item(
                    id: Int64(number), title: text, detail: Array(repeating: text as String?, count: 4).oneLine)
            }
        }
        for view in [ItemListView.addresses, .companies] {
            let first = view.list(list(parts: 1)).node
            #expect(first.children.count == ItemList.size && first.texts.isEmpty)
            #expect(first.sideActions.map(\.parts) == [2])
            #expect(first.sideActions.map(\.title) == ["Show more (505 left)"])
            let all = view.list(list(parts: 6)).node
            try all.check()
            #expect(all.children.count == ItemList.most + 1 && all.sideActions.isEmpty)
            #expect(all.texts == ["There are 5 more."])
        }
        let last = PageContext(page: "owner", section: "list", parts: 6)
            .part(of: ItemList.most + 1, size: ItemList.size, atMost: ItemList.most)
        #expect(last.remark == "There is 1 more.")
    }

    @Test(
        "a portrait is shown if a page takes it",
        arguments: [
            ("image/png", 10, true), ("image/webp", 10, true), ("image/svg+xml", 10, false), ("text/html", 10, false),
            ("image/png", 300_000, false),
        ])
    func portrait(type: String, size: Int, isShown: Bool) throws {
        let picture = ProfileState.picture(Portrait(mediaType: type, data: Data(count: size)))
        #expect(picture == (isShown ? .bytes([UInt8](repeating: 0, count: size), type: type) : nil))
        for remark in [nil, "No one is signed in."] {
            let state = ProfileState(name: "Ada", remark: remark, addresses: 1, companies: 2, portrait: picture)
            let card = ProfileView.card(state).node
            try card.check()
            #expect(card.owner?.title == "Ada" && card.owner?.image == picture)
            #expect(card.all.contains { $0.content.kind == "icon" } != isShown)
        }
    }
}

private let longText = String(repeating: "x", count: 201)
private let hugeText = String(repeating: "x", count: 5000)

extension ViewNode {
    /// What the card of the owner says about who it is.
    fileprivate var owner: RowContent? {
        all.lazy.compactMap { if case .row(let row) = $0.content { row } else { nil } }.first
    }
}
