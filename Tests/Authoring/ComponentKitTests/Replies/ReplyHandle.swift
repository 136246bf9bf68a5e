import CHSLink

@testable import ComponentKit

/// Short forms of a component's operations on a reply handle.
extension hslink_reply {
    func complete(_ value: Payload) -> Int32 {
        unsafe value.withUnsafeValue { unsafe ops.pointee.complete(slot, token, $0, nil) }
    }

    func fail(_ error: LinkError) -> Int32 {
        unsafe error.withUnsafeError { unsafe ops.pointee.complete(slot, token, nil, $0) }
    }

    var isCancelled: Bool { unsafe ops.pointee.is_cancelled(slot, token) == Int32(HSLINK_LATE) }

    func onCancel(_ calls: CancelCalls) -> Int32 {
        unsafe ops.pointee.on_cancel(
            slot, token,
            { context, cancelled in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<CancelCalls>.fromOpaque(context).takeUnretainedValue().add(cancelled)
            }, Unmanaged.passUnretained(calls).toOpaque())
    }
}

/// The arguments that a cancel handler received.
final class CancelCalls: Sendable {
    private let flags = Lock<[Int32]>([])
    var all: [Int32] { flags.withLock { $0 } }
    func add(_ flag: Int32) { flags.withLock { $0.append(flag) } }
}

extension PendingReply {
    /// Opens a slot of this thread, with the handle that a component would receive.
    static func opened(ledger: UInt16 = 0) -> (pending: PendingReply, handle: hslink_reply) {
        let thread = ThreadContext.current
        let pending = PendingReply.open(on: thread, ledger: ledger)
        return unsafe (pending, pending.handle(on: thread))
    }
}
