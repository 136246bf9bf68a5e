import CHSLink
import ComponentKit

/// A bound call in the host's own code: the quickest way into a component.
@safe
// Unchecked: `method` points to a constant of a component, which `core` keeps for as long as this is there.
final class HostBoundMethod: BoundMethod, @unchecked Sendable {
    let core: HostCore
    let method: UnsafePointer<MethodEntry>

    init(_ core: HostCore, _ method: UnsafePointer<MethodEntry>) {
        self.core = core
        unsafe self.method = unsafe method
    }

    func callAndWait(_ payload: borrowing Payload) throws(LinkError) -> Payload {
        try unsafe core.callAndWait(method, payload)
    }

    func begin(_ payload: borrowing Payload, _ mode: CallMode) -> BegunCall {
        guard Carried.isInUse else { return unsafe core.begin(method, payload, mode, from: nil, carried: nil) }
        switch Carried.ofRunningCode {
        case .success(let carried): return unsafe core.begin(method, payload, mode, from: nil, carried: carried)
        case .failure(let error): return .ended(.failure(error))
        }
    }

    func cancel(_ call: CallIdentifier) { core.cancel(call) }
}
