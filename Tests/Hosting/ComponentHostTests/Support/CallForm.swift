import ComponentHost
import ComponentKit
import Testing

/// The forms of a call.
enum CallForm: String, CaseIterable, CustomTestStringConvertible {
    case callback, async, blocking, boundCallback, boundAsync, boundBlocking

    var testDescription: String { rawValue }

    /// Makes a call, and waits for the answer without blocking Swift's cooperative thread pool.
    func perform(
        _ host: LinkHost, _ selector: String, _ payload: Payload = .null, className: String = "FixtureLink",
        kind: SelectorKind = .object, timeout: Duration? = nil
    ) async -> Answer {
        let collected = Collected<Answer>()
        switch self {
        case .callback:
            host.call(className, selector, payload, kind: kind, timeout: timeout) { collected.add($0) }
        case .async:
            return await answer { try await host.call(className, selector, payload, kind: kind, timeout: timeout) }
        case .blocking:
            return await answer {
                try await onThread { try host.callAndWait(className, selector, payload, kind: kind, timeout: timeout) }
            }
        case .boundCallback:
            do {
                let bound = try await onThread { try host.bind(className, selector, kind: kind) }
                bound.call(payload, timeout: timeout) { collected.add($0) }
            } catch {
                return await answer { throw error }
            }
        case .boundAsync:
            return await answer {
                try await onThread { try host.bind(className, selector, kind: kind) }.call(payload, timeout: timeout)
            }
        case .boundBlocking:
            return await answer {
                try await onThread {
                    let bound = try host.bind(className, selector, kind: kind)
                    guard let timeout else { return try bound(payload) }
                    return try bound(payload, timeout: timeout)
                }
            }
        }
        let answers = await collected.first(1)
        return answers.first ?? Answer(.failure(LinkError(.noReply, message: "the callback never came")))
    }
}

extension LinkHost {
    /// The table's row of the fixture.
    var fixture: ComponentInfo {
        get throws { try #require(components.first { $0.name == "FixtureComponent" }) }
    }
}
