public import CHSLink
import Synchronization

/// The pending reply to a call, which a method may keep until it answers. Only the first call to ``succeed(_:)`` or
/// ``fail(_:)`` has an effect; an answer after the call has ended has none. May be used from any thread.
@safe
// Unchecked: a reply handle is a plain value that may by contract be used from any thread.
public final class Reply: @unchecked Sendable {
    private let handle: hslink_reply
    private let isAnswered = Atomic<Bool>(false)

    @usableFromInline
    init(_ handle: hslink_reply) { unsafe self.handle = unsafe handle }

    deinit {
        if !isAnswered.load(ordering: .acquiring) {
            unsafe Reply.complete(handle, with: LinkError(.replyDropped))
        }
    }

    /// Answers the call with a value.
    ///
    /// - Returns: Whether the caller was still waiting.
    @discardableResult
    public func succeed(_ value: some PayloadConvertible = Payload.null) -> Bool {
        guard !isAnswered.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        return unsafe value.payload.withUnsafeValue {
            unsafe handle.ops.pointee.complete(handle.slot, handle.token, $0, nil) == Int32(HSLINK_OK)
        }
    }

    /// Answers the call with an error.
    ///
    /// - Returns: Whether the caller was still waiting.
    @discardableResult
    public func fail(_ error: any Error) -> Bool {
        guard !isAnswered.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        return unsafe Reply.complete(handle, with: LinkError(thrown: error))
    }

    /// Whether the method has answered.
    var hasAnswered: Bool { isAnswered.load(ordering: .acquiring) }

    /// Whether the call has already ended.
    public var isCancelled: Bool { unsafe hslink_is_cancelled(handle) != 0 }

    /// Calls `body` when the call is cancelled, its deadline passes or the host stops, on the thread that ends the call
    /// or on a thread of the host; immediately if that has already happened. It runs in the context of the code that has
    /// registered it, so its calls carry what the method's own calls do. It is not called if the call ends in another
    /// way. A later handler replaces an earlier one.
    public func onCancel(_ body: @escaping @Sendable () -> Void) {
        guard !hasAnswered else { return }
        let kept = unsafe Unmanaged.passRetained(CancelBody(body, .current))
        let status = unsafe handle.ops.pointee.on_cancel(
            handle.slot, handle.token,
            { context, cancelled in
                guard let context = unsafe context else { return }
                let kept = unsafe Unmanaged<CancelBody>.fromOpaque(context).takeRetainedValue()
                let caller = kept.context
                if cancelled != 0 { caller.run(kept.body) }
                caller.release(consume kept)
            }, unsafe kept.toOpaque())
        guard status != Int32(HSLINK_OK) else { return }
        unsafe kept.release()
        if !hasAnswered { body() }
    }

    private final class CancelBody: Sendable {
        let body: @Sendable () -> Void
        let context: CallerContext

        init(_ body: @escaping @Sendable () -> Void, _ context: CallerContext) {
            self.body = body
            self.context = context
        }
    }

    @discardableResult
    package static func complete(_ handle: hslink_reply, with error: LinkError) -> Bool {
        unsafe error.withUnsafeError {
            unsafe handle.ops.pointee.complete(handle.slot, handle.token, nil, $0) == Int32(HSLINK_OK)
        }
    }
}
