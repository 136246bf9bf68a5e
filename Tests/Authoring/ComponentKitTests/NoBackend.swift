@testable import ComponentKit

/// A backend without a host, for values that belong to no component.
final class NoBackend: LinkBackend {
    let sharedObjects = SharedObjects()
    private let bindError: LinkError
    /// How often work has ended.
    let endedWork = Lock(0)

    /// - Parameter bindError: why nothing can be bound.
    init(bindError: LinkError = LinkError(.classNotFound)) { self.bindError = bindError }

    func begin(_ target: CallTarget, _ payload: borrowing Payload, mode: CallMode) -> BegunCall {
        .ended(.failure(LinkError(.classNotFound)))
    }

    func callAndWait(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload
    ) throws(LinkError) -> Payload { throw LinkError(.classNotFound) }

    func begin(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload,
        mode: CallMode
    ) -> BegunCall { .ended(.failure(LinkError(.classNotFound))) }

    func perform(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall { .ended(.failure(LinkError(.classNotFound))) }

    func performAndWait(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload
    ) throws(LinkError) -> Payload { throw LinkError(.classNotFound) }

    func check(_ target: String, _ action: String?) -> Bool { false }

    func cancel(_ call: CallIdentifier) {}

    func bind(_ className: String, _ selector: String, kind: SelectorKind) throws(LinkError) -> any BoundMethod {
        throw bindError
    }

    func isAvailable(_ className: String, _ selector: String?, kind: SelectorKind) -> Bool { false }
    func isLoaded(_ className: String) -> Bool { false }
    func enter() -> LinkError? { nil }
    func leave() {}
    func beginWork() -> Bool { true }
    func endWork() { endedWork.withLock { $0 += 1 } }
    func log(_ level: LogLevel, _ message: String) {}
}
