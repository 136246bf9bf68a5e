import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Foundation
import NXStorage
import TestSupport
import Testing

@testable import ComponentOwner

@Suite("The data of guests")
final class GuestDataTests: Sendable {
    private let directory: TemporaryDirectory
    private let time = Lock(Timestamp(milliseconds: 1_800_000_000_000))

    init() throws { directory = try TemporaryDirectory() }

    private func withStore(
        _ limits: GuestLimits = GuestLimits(), body: (OwnerStore) async throws -> Void
    ) async throws {
        let storage = Storage("owner.sqlite", migrations: OwnerSchema.migrations) { [directory] in directory.path }
        defer { storage.close() }
        let store = OwnerStore(storage, ChangeHub(), limits: limits, now: { [self] in time.withLock { $0 } })
        try await body(store)
    }

    private func guest(_ name: String?) throws -> Owner {
        .guest(reason: "no user is signed in", session: try name.map { try Session(id: $0) })
    }

    private func add(_ label: String, to store: OwnerStore, of owner: Owner) async throws {
        let fields = AddressFields(label: label, street: "1", city: "X", postalCode: nil, country: nil)
        _ = try await store.add(Address(fields), of: owner)
    }

    private func labels(_ store: OwnerStore, _ owner: Owner) async throws -> [String] {
        try await store.addresses(of: owner).map(\.label)
    }

    @Test("is apart for each session, and the key of one shows nothing of its id")
    func apart() async throws {
        try await withStore { store in
            for name in ["ada", "ben", nil] { try await add(name ?? "terminal", to: store, of: guest(name)) }
            for name in ["ada", "ben", nil] { #expect(try await labels(store, guest(name)) == [name ?? "terminal"]) }
            #expect(try guest(nil).key == "guest" && !guest("ada").key.contains("ada"))
        }
    }

    @Test("is deleted 30 days after the last change, except that of the guest without a session")
    func expiry() async throws {
        try await withStore { store in
            for name in ["ada", "ben", nil] { try await add("x", to: store, of: guest(name)) }
            func wait(_ milliseconds: Int64) {
                time.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + milliseconds) }
            }
            wait(GuestLimits.rest)
            try await add("y", to: store, of: guest("ben"))
            #expect(try await labels(store, guest("ada")) == ["x"])
            wait(1)
            try await add("z", to: store, of: guest("ben"))
            #expect(try await labels(store, guest("ada")) == [])
            #expect(try await labels(store, guest("ben")) == ["x", "y", "z"])
            #expect(try await labels(store, guest(nil)) == ["x"])
        }
    }

    @Test("has limits: the oldest guests make room, and one guest cannot fill the disk")
    func limits() async throws {
        try await withStore(GuestLimits(guests: 2, items: 3)) { store in
            for name in ["ada", "ben", "eve"] {
                time.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + 1) }
                try await add("x", to: store, of: guest(name))
            }
            #expect(try await labels(store, guest("ada")) == [])
            #expect(try await labels(store, guest("ben")) == ["x"])
            for label in ["y", "z"] { try await add(label, to: store, of: guest("eve")) }
            let error = await #expect(throws: OwnerError.self) { try await add("w", to: store, of: guest("eve")) }
            guard case .invalid("label", let reason)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("at most 3"))
            for label in ["a", "b", "c", "d"] { try await add(label, to: store, of: guest(nil)) }
        }
    }

    @Test("is not all that has limits: a user cannot fill the disk either")
    func limitOfUser() async throws {
        try await withStore(GuestLimits(items: 1, itemsOfUser: 3)) { store in
            let owner = Owner.user(User(id: UUID(), name: "Ada", createdAt: Timestamp(milliseconds: 0)))
            for label in ["x", "y", "z"] { try await add(label, to: store, of: owner) }
            let error = await #expect(throws: OwnerError.self) { try await add("w", to: store, of: owner) }
            #expect(error.map { "\($0)" }?.contains("a user has at most 3") == true)
            #expect(try await labels(store, owner) == ["x", "y", "z"])
        }
    }

    @Test("moves to the session that takes the place of the former one")
    func moved() async throws {
        try await withStore { store in
            let (former, next) = (try Session(id: "ada"), try Session(id: "ada-2"))
            try await add("x", to: store, of: guest("ada"))
            try await add("other", to: store, of: guest("ben"))
            try await store.move(from: former, to: next)
            #expect(try await labels(store, guest("ada")) == [])
            #expect(try await labels(store, guest("ada-2")) == ["x"])
            #expect(try await labels(store, guest("ben")) == ["other"])
            // It is still that of a guest who may not come back.
            time.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + GuestLimits.rest + 1) }
            try await add("other", to: store, of: guest("ben"))
            #expect(try await labels(store, guest("ada-2")) == [])
        }
    }
}
