import EMAccountContract
import GRDB
import Testing

@testable import EMAccount

@Suite("The cost of a sign-in")
struct SignInCostTests {
    private let password = Password("correct horse")

    /// Creates a data directory with accounts that signed up at these costs, in order.
    private func place(_ costs: [String]) async throws -> AccountPlace {
        let place = try AccountPlace(cost: costs.first)
        for (number, cost) in costs.enumerated() {
            try place.set(cost: cost)
            _ = try await place.withAccounts { try await $0.signUp(name: "user \(number)", password: password) }
        }
        _ = place.costs.take()
        return place
    }

    @Test(
        "a wrong password and an unknown name cost the same, whatever hashes are stored",
        arguments: [
            [], ["2 1 1"], ["2 1 1", "64 1 1"], ["64 1 1", "2 1 1"], ["2 1 1", "16 2 1", "2 1 1", "16 1 2"],
            ["2 1 1", "4 1 1", "8 1 1", "16 1 1", "32 1 1"],
        ])
    func same(stored: [String]) async throws {
        let place = try await place(stored)
        // After the last account the cost of new hashes is raised.
        try place.set(cost: "128 1 1")
        let names = stored.indices.map { "user \($0)" } + (0..<20).map { "nobody \($0)" }
        let work = try await place.withAccounts { accounts in
            var work: [[PasswordCost]] = []
            for name in names {
                let error = await accountError { try await accounts.signIn(name: name, password: Password("wrong")) }
                #expect(error == .wrongNameOrPassword)
                work.append(place.costs.take())
            }
            return work
        }
        #expect(Set(work).count == 1, "\(zip(names, work).map { ($0, $1) })")
        #expect(work.first?.isEmpty == false)
    }

    @Test("the right password renews an outdated hash, until one cost is left")
    func renewed() async throws {
        let place = try await place(["2 1 1", "16 2 1", "16 1 2"])
        try place.set(cost: "32 1 1")
        let expected = try #require(PasswordCost("32 1 1"))
        try await place.withAccounts { accounts in
            for number in 0..<3 {
                _ = try await accounts.signIn(name: "user \(number)", password: password)
                #expect(place.costs.take().last == expected)
            }
            for name in ["user 0", "nobody"] {
                _ = await accountError { try await accounts.signIn(name: name, password: Password("wrong")) }
                #expect(place.costs.take() == [expected])
            }
        }
    }

    @Test("a damaged account does not lock out others")
    func damaged() async throws {
        let place = try await place(["2 1 1", "2 1 1"])
        try place.edit { db in try db.execute(sql: "UPDATE account SET rounds = 3 WHERE name = 'user 0'") }
        let user = try await place.withAccounts { try await $0.signIn(name: "user 1", password: password) }
        #expect(user.name == "user 1")
    }
}
