import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("Pages under many readers")
struct PageStressTests {
    /// What a reader has made of its updates.
    private final class Reader: Sendable {
        private let state = Lock<(page: Page, ends: Int)>((Page(id: "", title: "", revision: 0, sections: []), 0))

        var page: Page { state.withLock { $0.page } }

        /// Reads updates until the task is cancelled. A page that is deleted is asked for again.
        func run(_ pages: PageServiceClient) async throws {
            while !Task.isCancelled {
                do {
                    for try await update in try await pages.updates(id: "stress") {
                        try state.withLock { try $0.page.apply(update) }
                    }
                } catch is PageError {
                    try await Task.sleep(for: .milliseconds(5))
                } catch let error as LinkError where error.code == .cancelled {}
            }
        }
    }

    @Test("while pages, modules and components come and go, all end with the same view as a new one")
    func everything() async throws {
        // The sanitizers run it for longer.
        let seconds = ProcessInfo.processInfo.environment["HSLINK_STRESS_SECONDS"].flatMap(Double.init) ?? 2
        let end = ContinuousClock.now + .seconds(seconds)
        let place = try PagePlace()
        try writePage(place, 0)
        try await place.withPages { host, pages, plugins in
            let readers = (0..<8).map { _ in Reader() }
            let reading = readers.map { reader in Task { try await reader.run(pages) } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var random = SplitMix64(seed: 1)
                    while ContinuousClock.now < end {
                        change(&random)
                        host.events.post(PageModuleChanged("test.rows"))
                        try await Task.sleep(for: .milliseconds(2))
                    }
                }
                group.addTask {
                    var number = 0
                    while ContinuousClock.now < end {
                        number += 1
                        try writePage(place, number)
                        if number.isMultiple(of: 5) { try place.remove("stress.json") }
                        try await Task.sleep(for: .milliseconds(70))
                    }
                }
                group.addTask {
                    while ContinuousClock.now < end {
                        try plugins.add("FixtureComponent")
                        host.rescan()
                        try await Task.sleep(for: .milliseconds(90))
                        try FileManager.default.removeItem(atPath: plugins.file("libFixtureComponent.so"))
                        host.rescan()
                        try await Task.sleep(for: .milliseconds(50))
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        while ContinuousClock.now < end {
                            _ = try? await pages.page(id: "stress", after: nil)
                            _ = try? await pages.perform(
                                page: "stress", section: "a", action: .call("remove"), values: [:])
                            _ = try await pages.pages()
                        }
                    }
                }
                try await group.waitForAll()
            }
            try writePage(place, 1)
            try plugins.add("FixtureComponent")
            host.rescan()
            let isSame = await holds(within: .seconds(60)) {
                let fresh = try await pages.page(id: "stress", after: nil)
                return fresh.sections.count == 4 && readers.allSatisfy { $0.page.sections == fresh.sections }
            }
            #expect(isSame)
            for task in reading { task.cancel() }
            for task in reading { try await task.value }
        }
    }

    private func writePage(_ place: PagePlace, _ number: Int) throws {
        let sections = [
            #"{"module": "test.rows", "name": "a", "data": {"key": "stress"}}"#, #"{"module": "fixture.place"}"#,
            #"{"module": "test.rows", "name": "b", "data": {"key": "stress"}, "title": "\#(number)"}"#,
            #"{"module": "test.slow", "data": {"count": 3}}"#,
        ]
        let turned = number.isMultiple(of: 2) ? sections.reversed() : sections
        try place.write(#"{"page": "stress", "sections": [\#(turned.joined(separator: ", "))]}"#, to: "stress.json")
    }

    private func change(_ random: inout SplitMix64) {
        let row = Int.random(in: 0..<30, using: &random)
        let title = "r\(Int.random(in: 0..<1_000_000, using: &random))"
        TestModules.values.withLock { values in
            var rows = values["stress"] ?? []
            if rows.count > row { rows.remove(at: row) } else { rows.insert(title, at: rows.count / 2) }
            values["stress"] = rows
        }
    }
}
