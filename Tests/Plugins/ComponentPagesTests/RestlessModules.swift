import ComponentKit
import PageKit

/// Page modules that say that they have changed whenever they are asked.
@LinkClass("RestlessModules")
final class RestlessModules {
    private struct Record {
        var questions = 0
        var end: ContinuousClock.Instant?
        var pauses: [Duration] = []
    }

    /// By the ids of pages, which are different for each test.
    private static let records = Lock<[String: Record]>([:])

    /// How often the module on a page was asked.
    static func questions(on page: String) -> Int { records.withLock { $0[page]?.questions ?? 0 } }

    /// How long after each answer the module on a page was asked again.
    static func pauses(on page: String) -> [Duration] { records.withLock { $0[page]?.pauses ?? [] } }

    private let events: Events

    init(_ context: ComponentContext) { events = context.events }

    @PageModule("test.restless")
    func view(_ context: PageContext) async throws -> some View {
        try await answer(context)
        return Text("restless")
    }

    @PageModule("test.restless-condition")
    func condition(_ context: PageContext) async throws -> Bool {
        try await answer(context)
        return true
    }

    private func answer(_ context: PageContext) async throws {
        let begin = ContinuousClock.now
        RestlessModules.records.withLock { records in
            records[context.page, default: Record()].questions += 1
            if let end = records[context.page]?.end { records[context.page]?.pauses.append(end.duration(to: begin)) }
        }
        events.post(PageModuleChanged(context.module))
        // The page has noticed it by then.
        try await Task.sleep(for: .milliseconds(20))
        RestlessModules.records.withLock { $0[context.page]?.end = .now }
    }
}
