import ComponentHost
import ComponentKit
import ComponentOwnerContract
import Foundation
import HostTestSupport
import TestSupport
import Testing

@testable import ComponentOwner

@Suite("Changes of an owner's data")
struct ChangeTests {
    @Test("each subscriber receives the changes from then on, in order", arguments: ComponentDepth.allCases)
    func told(depth: ComponentDepth) async throws {
        try await depth.withOwner { _, owner in
            let before = try await owner.addAddress("before")
            let readers = try await withThrowingTaskGroup(of: [OwnerChange].self) { group in
                for _ in 0..<5 {
                    let changes = try await owner.changes()
                    group.addTask {
                        var seen: [OwnerChange] = []
                        for try await change in changes {
                            seen.append(change)
                            if seen.count == 4 { break }
                        }
                        return seen
                    }
                }
                let address = try await owner.addAddress("after")
                let company = try await owner.addCompany(name: "C", position: nil, city: nil, website: nil)
                try await owner.deleteAddress(id: before.id)
                _ = await ownerError { try await owner.deleteAddress(id: before.id) }
                try await owner.deleteCompany(id: company.id)
                let expected = [
                    OwnerChange(item: .address, action: .added, id: address.id),
                    OwnerChange(item: .company, action: .added, id: company.id),
                    OwnerChange(item: .address, action: .deleted, id: before.id),
                    OwnerChange(item: .company, action: .deleted, id: company.id),
                ]
                for try await seen in group { #expect(seen == expected) }
                return 5
            }
            #expect(readers == 5)
        }
    }

    @Test("changes from many tasks come in the order of the file")
    func order() async throws {
        try await ComponentDepth.file.withOwner { _, owner in
            let changes = try await owner.changes()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { _ = try await owner.addAddress("x") } }
                try await group.waitForAll()
            }
            var ids: [Int64] = []
            for try await change in changes {
                ids.append(change.id)
                if ids.count == 100 { break }
            }
            #expect(ids == ids.sorted())
        }
    }

    @Test("a slow reader receives the changes up to the limit, and then the error", arguments: ComponentDepth.allCases)
    func tooSlow(depth: ComponentDepth) async throws {
        try await depth.withOwner { _, owner in
            let changes = try await owner.changes()
            let quick = try await owner.changes()
            let reading = Task {
                var count = 0
                for try await _ in quick {
                    count += 1
                    if count == ChangeHub.limit + 10 { break }
                }
                return count
            }
            for _ in 0..<ChangeHub.limit + 10 { _ = try await owner.addAddress("x") }
            var count = 0
            let error = await ownerError { for try await _ in changes { count += 1 } }
            #expect(error == .tooSlow)
            #expect(count == ChangeHub.limit)
            #expect(try await reading.value == ChangeHub.limit + 10)
        }
    }

    @Test("releasing the sequence ends it")
    func dropped() async throws {
        let hub = ChangeHub()
        do {
            let kept = hub.subscribe(to: "guest")
            let other = hub.subscribe(to: "guest")
            #expect(hub.count == 2)
            withExtendedLifetime((kept, other)) {}
        }
        #expect(hub.count == 0)
        let stream = hub.subscribe(to: "guest")
        let task = Task { for try await _ in stream {} }
        task.cancel()
        try await task.value
        #expect(hub.count == 0)
    }

    @Test("the end of the host ends the sequence", arguments: ComponentDepth.allCases)
    func stopped(depth: ComponentDepth) async throws {
        let reading = try await depth.withOwner { _, owner in
            let changes = try await owner.changes()
            // By the stop of the component or of the host, whichever comes first.
            return Task { () -> LinkError.Code? in
                do {
                    for try await _ in changes {}
                    return .stopped
                } catch {
                    return (error as? LinkError)?.code
                }
            }
        }
        #expect(await reading.value == .stopped)
    }

    @Test("after the end no one can subscribe")
    func ended() async throws {
        let hub = ChangeHub()
        hub.end()
        for try await _ in hub.subscribe(to: "guest") { Issue.record("a change came") }
        #expect(hub.count == 0)
    }
}
