import CHSLink
import ComponentKit

/// The instances of a link class that the host has taken out of use, but that methods may still be running on.
///
/// A call marks its thread before it reads the instance. So after an instance has been taken and a fence has been issued
/// on all threads, only threads that are marked then can have read it, and each of them has finished with it once it is
/// seen unmarked. A thread that is in another call of the class at every check delays the release. Calls pay nothing for
/// this. See ``ComponentKit/ThreadContext/running(anyOf:)``.
final class RetiredInstances: Sendable {
    // Unchecked: any thread may read the marks of another.
    private struct Group: @unchecked Sendable {
        let instances: [OwnedInstance]
        /// The threads that have been running methods of the class ever since.
        var threads: [ThreadContext]
    }

    private struct Groups {
        var all: [Group] = []
        /// Whether a later check has been scheduled.
        var isScheduled = false
    }

    private let groups = Lock(Groups())

    /// Keeps instances that have just been taken out of use.
    ///
    /// - Parameter threads: the threads that may be using them.
    func add(_ instances: [OwnedInstance], usedBy threads: [ThreadContext]) {
        groups.withLock { $0.all.append(Group(instances: instances, threads: threads)) }
    }

    /// Takes out the instances that no thread uses any more. The caller owns them.
    ///
    /// - Parameter methods: the addresses of the class's methods.
    func takeUnused(_ methods: Range<UInt>) -> [OwnedInstance] {
        groups.withLock { groups in
            for index in groups.all.indices {
                groups.all[index].threads.removeAll { !$0.isRunning(anyOf: methods) }
            }
            let unused = groups.all.filter(\.threads.isEmpty)
            groups.all.removeAll(where: \.threads.isEmpty)
            return unused.flatMap(\.instances)
        }
    }

    /// Takes out all instances. Call it only when no thread runs in the component and none can enter.
    func takeAll() -> [OwnedInstance] {
        groups.withLock { groups in
            defer { groups.all = [] }
            return groups.all.flatMap(\.instances)
        }
    }

    /// - Returns: Whether the caller must schedule a check, since instances are left and no check is scheduled.
    func beginSchedule() -> Bool {
        groups.withLock { groups in
            guard !groups.all.isEmpty, !groups.isScheduled else { return false }
            groups.isScheduled = true
            return true
        }
    }

    func endSchedule() { groups.withLock { $0.isScheduled = false } }
}

extension HostCore {
    /// See ``LinkHost/releaseTarget(_:)``.
    func releaseInstances(ofTarget target: String) -> Bool {
        guard let listed = registry.listed(target: target), let loaded = unsafe listed.entry.loadedClass else {
            return false
        }
        let linkClass = unsafe loaded.takeUnretainedValue()
        // While this is counted, the component is not destroyed, and its instances are released here only.
        guard unsafe linkClass.runState.beginHostWorkUnlessStopped() else { return false }
        defer { unsafe linkClass.runState.endHostWork() }
        let instances = linkClass.takeInstances()
        guard !instances.isEmpty else { return false }
        linkClass.retired.add(instances, usedBy: ThreadContext.running(anyOf: linkClass.methodAddresses))
        engine.releaseUnused(of: linkClass, listed.unit, pause: .milliseconds(1))
        return true
    }
}

extension CallEngine {
    /// How long to wait at most before checking again whether threads still use an instance.
    private static let longestPause = Duration.milliseconds(100)

    /// Releases the retired instances of a class that no thread uses any more, and checks again later if some are left.
    ///
    /// - Parameters:
    ///   - unit: the component, which keeps the class.
    ///   - pause: when to check again.
    fileprivate func releaseUnused(of linkClass: LoadedClass, _ unit: ComponentUnit, pause: Duration) {
        // Once the component is stopped, the stop releases what is left.
        guard unsafe linkClass.runState.beginHostWorkUnlessStopped() else { return }
        defer { unsafe linkClass.runState.endHostWork() }
        for instance in linkClass.retired.takeUnused(linkClass.methodAddresses) { instance.release() }
        guard linkClass.retired.beginSchedule() else { return }
        timer.schedule(.after(pause)) { [weak self] in
            // The component's code must not run on the timer's thread.
            self?.notify(
                { [weak self] in
                    linkClass.retired.endSchedule()
                    self?.releaseUnused(of: linkClass, unit, pause: min(pause * 2, CallEngine.longestPause))
                }, of: unit)
        }
    }
}

/// An instance with a reference that the host owns. Must be released once.
@safe
// Unchecked: instances may be used and released on any thread.
struct OwnedInstance: @unchecked Sendable {
    private let pointer: UnsafeMutablePointer<hslink_object>

    /// - Returns: Nil if the address is 0.
    init?(address: UInt) {
        guard let pointer = unsafe UnsafeMutablePointer<hslink_object>(bitPattern: address) else { return nil }
        unsafe self.pointer = unsafe pointer
    }

    /// Releases the reference, which may run code of the component.
    func release() { unsafe pointer.pointee.type.pointee.release(pointer) }
}
