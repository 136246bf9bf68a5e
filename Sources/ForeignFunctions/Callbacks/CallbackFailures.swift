import ComponentKit
import Glibc

/// What callbacks of one call have thrown: C cannot be told, so the call fails with it afterwards.
final class CallbackFailures: Sendable {
    private let first = Lock<LinkError?>(nil)

    /// Remembers the first.
    func add(_ error: LinkError) { first.withLock { $0 = $0 ?? error } }

    var error: LinkError? { first.withLock { $0 } }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// Those of the call that this thread is inside of, the innermost one.
    static var current: CallbackFailures? {
        unsafe pthread_getspecific(key).map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` as a call on this thread.
    func during(_ body: () -> Void) {
        let outer = unsafe pthread_getspecific(CallbackFailures.key)
        unsafe pthread_setspecific(CallbackFailures.key, Unmanaged.passUnretained(self).toOpaque())
        defer { unsafe pthread_setspecific(CallbackFailures.key, outer) }
        withExtendedLifetime(self, body)
    }
}
