import CHSLink
import ComponentKit

/// A bound call in the host's own code: the quickest way into a component.
@safe
// Unchecked: `entry` points to a constant of a component, which `core` keeps for as long as this is there.
final class HostBoundMethod: BoundMethod, @unchecked Sendable {
    let core: HostCore
    let entry: UnsafePointer<MethodEntry>

    init(_ core: HostCore, _ entry: UnsafePointer<MethodEntry>) {
        self.core = core
        unsafe self.entry = unsafe entry
    }

    func callAndWait(_ payload: borrowing Payload) throws(LinkError) -> Payload {
        try unsafe payload.withUnsafeValue { value throws(LinkError) in try unsafe core.callAndWait(entry, value) }
    }

    func callAndWait(_ payload: Payload, _ deadline: Deadline) throws(LinkError) -> Payload {
        let wait = BlockingWait()
        _ = start(payload, deadline, isDetached: true, .outcome { wait.finish($0) })
        return try wait.wait()
    }

    func start(
        _ payload: Payload, _ deadline: Deadline?, isDetached: Bool,
        _ completion: CallCompletion
    ) -> CallIdentifier? {
        start(payload, deadline, isDetached: isDetached, from: nil, flags: 0, completion)
    }

    /// - Parameter caller: the component that calls; nil for the host's own code.
    func start(
        _ payload: Payload, _ deadline: Deadline?, isDetached: Bool, from caller: HostTable?, flags: UInt32,
        _ completion: CallCompletion
    ) -> CallIdentifier? {
        guard unsafe deadline != nil || (isDetached && !entry.pointee.isQuick) else {
            return unsafe payload.withUnsafeValue { value in
                unsafe core.run(
                    entry, value, caller: caller?.caller ?? hslink_string(), deadline: 0, flags: flags, completion)
            }
        }
        let unit = unsafe entry.pointee.linkClass.takeUnretainedValue().unit
        return unsafe core.detach(
            unit, payload, deadline, from: caller, names: (entry.pointee.className, entry.pointee.selector), completion
        ) { [self] _ in unsafe .method(entry) }
    }

    func beginInPlace(_ payload: borrowing Payload) -> InPlaceCall {
        guard unsafe entry.pointee.isQuick else { return .mayBlock }
        return unsafe payload.withUnsafeValue { unsafe core.begin(entry, $0) }
    }

    func cancel(_ call: CallIdentifier) { core.cancel(call) }
}
