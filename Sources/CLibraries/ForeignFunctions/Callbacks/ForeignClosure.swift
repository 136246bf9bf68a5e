import CFFI
import ComponentKit
import Glibc
import Synchronization

/// A function pointer that calls a closure from a payload. It is valid on any thread while this object exists.
@safe
// Unchecked: its pointers are set in init and never change.
final class ForeignClosure: @unchecked Sendable {
    /// The function pointer for C.
    let code: UnsafeRawPointer
    private let closure: UnsafeMutableRawPointer
    private let plan: CallbackPlan
    private let object: LinkObject
    private unowned let library: ForeignLibrary
    /// A pointer to this object for libffi, which needs it before this object is initialised.
    private let box: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    /// The failures of the call that the callback was created for, if it is valid for one call only. C may call it from
    /// another thread.
    private let ownFailures = Lock<CallbackFailures?>(nil)
    /// The thread of that call, which cannot go on before the closure has returned; 0 if there is no such call.
    private let callThread = Atomic<UInt>(0)
    /// What C may use because the closure has returned it.
    private let kept = Lock<[any AnyObject & Sendable]>([])
    /// The handles that the closure has returned.
    private let returned = Lock<[ObjectIdentifier: HandleUse]>([:])

    /// - Returns: Nil if the system provides no executable memory.
    init?(_ plan: CallbackPlan, _ object: LinkObject, library: ForeignLibrary) {
        self.plan = plan
        self.object = object
        self.library = library
        let box = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
        unsafe box.initialize(to: nil)
        var closure: UnsafeMutableRawPointer?
        guard let code = unsafe hslink_ffi_closure(plan.interface.cif, ForeignClosure.handler, box, &closure),
            let closure = unsafe closure
        else {
            unsafe box.deallocate()
            return nil
        }
        unsafe self.code = UnsafeRawPointer(code)
        unsafe self.closure = unsafe closure
        unsafe self.box = unsafe box
        unsafe box.pointee = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe ffi_closure_free(closure)
        unsafe box.deallocate()
    }

    private static let handler: hslink_ffi_handler = { _, result, arguments, context in
        guard let context = unsafe context?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee else {
            return
        }
        let closure = unsafe Unmanaged<ForeignClosure>.fromOpaque(context).takeUnretainedValue()
        unsafe closure.run(result, arguments)
    }

    private func run(
        _ result: UnsafeMutableRawPointer?, _ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) {
        unsafe store(integer: plan.constantResult ?? plan.fallback, at: result)
        let caller = callThread.load(ordering: .relaxed)
        let isElsewhere = caller != 0 && caller != HandleWaits.currentThread
        if isElsewhere { HandleWaits.begin(for: caller) }
        defer { if isElsewhere { HandleWaits.end() } }
        let call = unsafe CallbackCall(plan, arguments, library: library)
        do throws(LinkError) {
            defer { call.end() }
            call.clearOutputs()
            let answer = try object.callAndWait("", try call.payload())
            do throws(PayloadError) {
                try unsafe call.finish(answer, result)
            } catch {
                throw LinkError(.invalidReply, message: "the result of the callback does not fit: \(error)")
            }
            if !call.kept.isEmpty { kept.withLock { $0 += call.kept } }
            if let use = call.returned {
                let old = returned.withLock { $0.updateValue(use, forKey: ObjectIdentifier(use.handle)) }
                // Not under the lock: the end of a use may wake another thread.
                withExtendedLifetime(old) {}
            }
        } catch {
            unsafe store(integer: plan.constantResult ?? plan.fallback, at: result)
            if let failures = CallbackFailures.current ?? failures {
                failures.add(error)
            } else {
                library.log("a callback failed outside a call, so no caller receives its error: \(error)")
            }
        }
    }

    private var failures: CallbackFailures? { ownFailures.withLock { $0 } }

    /// Sets the failures of the call that the callback was created for. That call fails if the closure throws.
    func report(to failures: CallbackFailures?) {
        ownFailures.withLock { $0 = failures }
        // C gets the function pointer after this.
        callThread.store(HandleWaits.currentThread, ordering: .relaxed)
    }

    /// Stores a number as the result, in the form that the function pointer returns.
    private func store(integer: Int128, at result: UnsafeMutableRawPointer?) {
        guard let result = unsafe result, let form = plan.result ?? (plan.constantResult == nil ? nil : .opaque) else {
            return
        }
        switch form {
        case .float: unsafe result.storeBytes(of: Float(integer), as: Float.self)
        case .double: unsafe result.storeBytes(of: Double(integer), as: Double.self)
        case .longDouble: unsafe hslink_store_long_double(result, Double(integer))
        case .record(let record):
            unsafe result.initializeMemory(as: UInt8.self, repeating: 0, count: record.size)
        // libffi requires small integers widened.
        default: unsafe result.storeBytes(of: Int64(truncatingIfNeeded: integer), as: Int64.self)
        }
    }
}

/// The errors from callbacks during one call. They cannot be passed through C, so the call fails with the first one
/// after C returns.
final class CallbackFailures: Sendable {
    private let first = Lock<LinkError?>(nil)

    /// Records an error, unless there is one already.
    func add(_ error: LinkError) { first.withLock { $0 = $0 ?? error } }

    var error: LinkError? { first.withLock { $0 } }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// The failures of the innermost call on this thread.
    static var current: CallbackFailures? {
        unsafe pthread_getspecific(key).map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` with this object as ``current``.
    func during(_ body: () -> Void) {
        let outer = unsafe pthread_getspecific(CallbackFailures.key)
        unsafe pthread_setspecific(CallbackFailures.key, Unmanaged.passUnretained(self).toOpaque())
        defer { unsafe pthread_setspecific(CallbackFailures.key, outer) }
        withExtendedLifetime(self, body)
    }
}
