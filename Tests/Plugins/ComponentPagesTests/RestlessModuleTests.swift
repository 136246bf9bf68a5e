import ComponentHost
import ComponentKit
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("Modules that change whenever they are asked")
struct RestlessModuleTests {
    static let sections = [
        #"{"module": "test.restless"}"#,
        #"{"module": "test.text", "hidden": {"unless": "test.restless-condition"}}"#,
    ]

    @Test("are asked again after a pause while somebody watches", arguments: sections.indices)
    func pauses(section: Int) async throws {
        let place = try PagePlace()
        let id = "restless-\(section)"
        try place.write(page: id, RestlessModuleTests.sections[section])
        try await place.withPages { _, pages, _ in
            let reading = Task { for try await _ in try await pages.updates(id: id) {} }
            let isAsked = await holds { RestlessModules.pauses(on: id).count >= 20 }
            #expect(isAsked)
            reading.cancel()
            _ = await reading.result
            let pauses = RestlessModules.pauses(on: id)
            // One may follow at once for the reader who waits for the page, and on a busy machine the page may learn of a
            // change after the answer.
            #expect(pauses.count { $0 >= LivePage.leastPause } > pauses.count / 2, "\(pauses)")
        }
    }

    @Test("are left alone when nobody is there, and asked for the next caller", arguments: sections.indices)
    func unwatched(section: Int) async throws {
        let place = try PagePlace()
        let id = "restless-alone-\(section)"
        try place.write(page: id, RestlessModuleTests.sections[section])
        try await place.withPages { _, pages, _ in
            let page = try await pages.page(id: id, after: nil)
            var last = 0
            let isLeft = await holds(within: .seconds(20)) {
                last = RestlessModules.questions(on: id)
                try await Task.sleep(for: .milliseconds(300))
                return last > 0 && RestlessModules.questions(on: id) == last
            }
            #expect(isLeft)
            let caller = Task { try await pages.page(id: id, after: page.revision) }
            let isAsked = await holds { RestlessModules.questions(on: id) > last }
            #expect(isAsked)
            caller.cancel()
            _ = await caller.result
        }
    }
}
