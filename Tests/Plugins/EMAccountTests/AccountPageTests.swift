import ComponentHost
import ComponentKit
import EMAccountContract
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import EMAccount

@Suite("Pages of accounts")
struct AccountPageTests {
    private static let ada = ["name": "Ada", "password": "correct horse"]

    @Test("people sign up, in and out on them, and they follow", arguments: ComponentDepth.allCases)
    func life(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        try await depth.withAccount(place.directory.path) { host, account in
            func expect(user: String?) async throws {
                #expect(try await host.answer("account.signedIn").bool() == (user != nil))
                let card = try await host.view("account.card")
                #expect(card.content == .card(AccountPageTests.card(user)))
                let greeting = try await host.view("account.greeting")
                #expect(greeting.texts == ["Welcome, \(user ?? "guest")"])
                let signIn = Action.show(page: "sign-in", ["from": "home"])
                let action = user == nil ? signIn : .call("signOut")
                #expect(greeting.children.dropFirst().map(\.action) == [action])
                // The pages about the account have both anyway.
                for page in ["account", "sign-in", "sign-in?from=home"] {
                    #expect(try await host.view("account.greeting", page: page).children.count == 1, "\(page)")
                }
            }
            try await expect(user: nil)
            let leading = Action.show(page: "sign-in", ["from": "item?id=3"])
            #expect(try await host.view("account.card", page: "item?id=3").children.first?.action == leading)
            #expect(try await host.view("account.card", page: "account").children.isEmpty)

            let signUp = try await host.view("account.signUp")
            #expect(signUp.fields.map(\.kind) == [.text(longest: 80), .password])
            // Who signs up is signed in.
            try await host.perform(signUp.action, of: "account.signUp", Self.ada)
            try await expect(user: "Ada")
            try await account.signOut()
            try await expect(user: nil)

            let signIn = try await host.view("account.signIn")
            #expect(signIn.fields.map(\.kind) == [.text(longest: 80), .password])
            try await host.perform(signIn.action, of: "account.signIn", Self.ada)
            #expect(try await account.currentUser()?.name == "Ada")
            #expect(try await host.view("account.signIn").texts == ["Ada is signed in."])
            try await expect(user: "Ada")

            let card = try await host.view("account.card")
            try await host.perform(card.children.last?.action, of: "account.card")
            #expect(try await account.currentUser() == nil)
            #expect(try await host.view("account.signIn") == signIn)
            try await expect(user: nil)
        }
    }

    @Test("both forms stand beside each other, and lead back to where a person came from", arguments: ["owner", nil])
    func entry(from: String?) async throws {
        let place = try AccountPlace()
        try await ComponentDepth.file.withAccount(place.directory.path) { host, account in
            let data: Payload = from.map { ["from": .string($0)] } ?? [:]
            let forms = try await host.view("account.entry", data: data).children
            let parameters = from.map { ["from": Payload.string($0)] } ?? [:]
            #expect(forms.map(\.action) == ["signIn", "signUp"].map { .call($0, parameters) })
            for form in forms.reversed() {
                let answer = try await host.perform(form.action, of: "account.entry", Self.ada)
                #expect(ActionOutcome(answer: answer)?.page == from)
                #expect(try await host.view("account.entry", data: data).texts == ["Ada is signed in."])
                try await account.signOut()
            }
            // The id of the page with the forms has room for that of another page, but not for any.
            let long = "item?name=\(String(repeating: "x", count: 500))"
            #expect(try await host.view("account.card", page: long).children.first?.action == .show(page: "sign-in"))
        }
    }

    private static func card(_ user: String?) -> CardContent {
        guard let user else {
            return CardContent(title: "No one is signed in", subtitle: "What you add now belongs to the guest.")
        }
        return CardContent(title: user, subtitle: "Signed in")
    }

    @Test("a refused sign-in says the same for a wrong name and a wrong password", arguments: ComponentDepth.allCases)
    func wrong(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        try await depth.withAccount(place.directory.path) { host, account in
            _ = try await account.signUp(name: "Ada", password: Password("correct horse"))
            let empty = try await host.view("account.signIn")
            for name in ["Ada", "Nobody", "", "a\u{0}b", String(repeating: "x", count: 5000)] {
                let values = ["name": name, "password": "secret \(name.count)"]
                let error = await #expect(throws: LinkError.self) {
                    try await host.perform(empty.action, of: "account.signIn", values)
                }
                #expect(error?.message == "the name or the password is wrong")
                let shown = PageError.actionFailed(
                    message: "the name or the password is wrong", forPeople: "The name or the password is wrong.")
                #expect(error?.original as? PageError == shown)
                // All readers of the page see the same form: nothing of what was written is in it.
                #expect(try await host.view("account.signIn") == empty)
            }
            #expect(try await host.answer("account.signedIn").bool() == false)
        }
    }

    @Test("who fails too often is told to wait")
    func slowed() async throws {
        let place = try AccountPlace()
        try await ComponentDepth.file.withAccount(place.directory.path) { host, _ in
            let form = try await host.view("account.signIn")
            let isSlowed = await holds {
                do {
                    try await host.perform(form.action, of: "account.signIn", Self.ada)
                    return false
                } catch let error as LinkError {
                    return error.message.contains("try again in")
                }
            }
            #expect(isSlowed)
        }
    }

    @Test(
        "a refused sign-up says which field is wrong, and creates nothing",
        arguments: [
            ("Ada", "long enough", "name"), (" ", "long enough", "name"), ("Ida", "short", "password"),
            ("a\u{200B}b", "long enough", "name"), (String(repeating: "x", count: 100_000), "long enough", "name"),
        ])
    func refused(name: String, password: String, field: String) async throws {
        let place = try AccountPlace()
        try await ComponentDepth.file.withAccount(place.directory.path) { host, account in
            _ = try await account.signUp(name: "Ada", password: Password("correct horse"))
            let form = try await host.view("account.signUp")
            let values = ["name": name, "password": password]
            let error = await #expect(throws: LinkError.self) {
                try await host.perform(form.action, of: "account.signUp", values)
            }
            guard case PageError.invalidValue(field, _)? = error?.original else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect("\(String(describing: error))".contains("short,") == false)
            #expect(try await host.view("account.signUp") == form)
            #expect(await accountError { try await account.signIn(name: "Ida", password: Password("short")) } != nil)
        }
    }

    @Test("who signs up, in or out makes pages ask again", arguments: ComponentDepth.allCases)
    func changes(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        try await depth.withAccount(place.directory.path) { host, account in
            let changes = host.events.stream(PageModuleChanged.self)
            func expectAll() async {
                var seen: [PageModuleChanged] = []
                for await change in changes {
                    seen.append(change)
                    if seen.count == AccountModule.allCases.count { break }
                }
                #expect(seen == AccountModule.allCases.map { PageModuleChanged($0.rawValue, sessionOnly: true) })
            }
            _ = try await account.signUp(name: "Ada", password: Password("correct horse"))
            await expectAll()
            _ = try await account.signIn(name: "Ada", password: Password("correct horse"))
            await expectAll()
            try await account.signOut()
            await expectAll()
            // On a page, it is the same.
            let form = try await host.view("account.signIn")
            try await host.perform(form.action, of: "account.signIn", Self.ada)
            await expectAll()
            var signedOut = host.events.stream(SignedOut.self).makeAsyncIterator()
            try await host.perform(try await host.view("account.card").children.last?.action, of: "account.card")
            await expectAll()
            #expect(await signedOut.next()?.user.name == "Ada")
        }
    }

    @Test("without the accounts, the greeting of other pages says so", arguments: ComponentDepth.allCases)
    func unavailable(depth: ComponentDepth) async throws {
        try await depth.withAccount(nil) { host, _ async throws in
            #expect(try await host.view("account.greeting").texts == ["The accounts cannot be read now."])
            for module in ["account.card", "account.signIn", "account.signedIn"] {
                let error = await #expect(throws: LinkError.self) { try await host.answer(module) }
                #expect(error?.original is AccountError, "\(module)")
            }
        }
    }

    @Test("every module that changes is offered, and one of them is a condition", arguments: ComponentDepth.allCases)
    func modules(depth: ComponentDepth) async throws {
        try await depth.withAccount(nil) { host, _ in
            let modules = host.pageModules.filter { $0.component == "EMAccount" }
            // The form for a new account is always the same.
            #expect(Set(modules.map(\.name)) == Set(AccountModule.allCases.map(\.rawValue) + ["account.signUp"]))
            #expect(modules.filter(\.isCondition).map(\.name) == ["account.signedIn"])
            #expect(modules.allSatisfy { $0.problem == nil })
        }
    }

    @Test("their page is among the resources")
    func files() async throws {
        try await ComponentDepth.file.withAccount(nil) { host, _ in
            try await host.checkPages(of: "EMAccount", ["account.json", "sign-in.json"])
        }
    }
}
