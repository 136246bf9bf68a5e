import CHSLink
import ComponentKit
import Glibc
import Synchronization
import SystemSupport

/// The host's functions for one component: the `hslink_host` that its `create` receives. It is reference-counted, since
/// objects of the component may outlive the host's own use of it.
@safe
// Unchecked: its pointers lead to strings and a record that are written once, in init, and to atomics.
final class HostTable: @unchecked Sendable {
    /// The memory that the component's pointer refers to: the C struct, followed by a pointer back to this table.
    @unsafe
    private struct Record {
        var base: hslink_host
        var table: UnsafeMutableRawPointer
    }

    let core: HostCore
    let unit: ComponentUnit
    /// The identity and the state of the component value that this table was made for.
    let runState: UnsafeMutablePointer<ComponentRunState>
    private let record: UnsafeMutablePointer<Record>
    private let name: UnsafeMutablePointer<CChar>
    private let directory: UnsafeMutablePointer<CChar>
    /// Count the calls of the component's objects.
    let objectCounters: ObjectCounters
    /// The addresses of the NUL-terminated texts that the component has received, such as paths.
    private let texts = Lock<[ExactText: UInt]>([:])

    init(core: HostCore, unit: ComponentUnit) {
        self.core = core
        self.unit = unit
        objectCounters = ObjectCounters(unit.isHost ? "" : unit.name, core.engine.counters)
        unsafe runState = ComponentRunState.make(of: unit.number, named: unit.isHost ? nil : unit.name)
        unsafe record = .allocate(capacity: 1)
        unsafe name = unsafe strdup(unit.name)
        unsafe directory = unsafe strdup(unit.directory)
        unsafe caller = unsafe unit.isHost ? hslink_string() : hslink_string_c(name)
        unsafe record.initialize(
            to: Record(
                base: HostTable.makeBase(hslink_string_c(name), hslink_string_c(directory)),
                table: Unmanaged.passUnretained(self).toOpaque()))
        unsafe runState.setTable(self)
    }

    deinit {
        unsafe runState.setTable(nil)
        unsafe free(name)
        unsafe free(directory)
        for text in texts.withLock({ $0.values }) { unsafe free(UnsafeMutableRawPointer(bitPattern: text)) }
        unsafe record.deallocate()
    }

    /// Returns a NUL-terminated copy of a text that is valid for the lifetime of this table; nil if no memory is left.
    func keep(_ text: String) -> UnsafePointer<CChar>? {
        let address = texts.withLock { texts in
            if let known = texts[ExactText(text)] { return known }
            let address = unsafe UInt(bitPattern: strdup(text))
            if address != 0 { texts[ExactText(text)] = address }
            return address
        }
        return unsafe UnsafePointer(bitPattern: address)
    }

    var pointer: UnsafePointer<hslink_host> {
        unsafe UnsafeRawPointer(record).assumingMemoryBound(to: hslink_host.self)
    }

    /// The component's name as callees see it, valid for the lifetime of this table. Empty for the program's own
    /// classes, which count as the host's own code.
    let caller: hslink_string

    static func unmanaged(_ host: UnsafePointer<hslink_host>) -> Unmanaged<HostTable> {
        let record = unsafe UnsafeRawPointer(host).assumingMemoryBound(to: Record.self)
        return unsafe Unmanaged<HostTable>.fromOpaque(record.pointee.table)
    }

    static func of(_ host: UnsafePointer<hslink_host>) -> HostTable { unsafe unmanaged(host).takeUnretainedValue() }

    /// Whether calls through the table are refused.
    var isClosed: Bool { unsafe runState.isStopped }

    /// Runs `body`, and reports its error to the component.
    ///
    /// - Returns: 0, or 1 after an error, as the functions of the host's extensions do.
    static func report(
        to failure: UnsafePointer<hslink_failure>?, _ body: () throws(LinkError) -> Void
    ) -> Int32 {
        do throws(LinkError) {
            try body()
            return 0
        } catch {
            guard let failure = unsafe failure else { return 1 }
            unsafe error.withUnsafeError { unsafe failure.pointee.report(failure.pointee.context, $0) }
            return 1
        }
    }
}

// Apart from methods, two things keep a component from being destroyed: threads of its own that have entered, and work
// that it has announced.
extension HostTable {
    /// Marks this thread as running in the component.
    ///
    /// - Returns: `HSLINK_OK`; `HSLINK_LATE` if the component is stopped; `HSLINK_ERROR_TOO_DEEP` if calls are nested
    ///   too deeply.
    func enter() -> Int32 {
        let thread = HostThread.current
        let method = unsafe thread.state.pointee.running.isCallingObject ? ThreadContext.objectCall : 0
        guard unsafe thread.enter(runState.identity, method: method) else {
            return Int32(isClosed ? HSLINK_LATE : HSLINK_ERROR_TOO_DEEP)
        }
        if !isClosed { return Int32(HSLINK_OK) }
        _ = unsafe thread.leave(runState.identity)
        return Int32(HSLINK_LATE)
    }

    /// Removes this thread's newest mark. An unmatched call is ignored, since it would remove another component's
    /// mark.
    func leave() {
        if unsafe ThreadContext.current.leave(runState.identity) { return }
        log("called leave more often than enter on this thread; ignored")
    }

    /// Counts work that continues after its method has returned. Returns false if the component is stopped.
    func beginWork() -> Bool { unsafe runState.beginWork() }

    func endWork() {
        if unsafe !runState.endWork() { log("called end_work more often than begin_work; ignored") }
    }

    private func log(_ message: String) { core.options.log(.warning, message, component: unit.name) }
}

extension HostCore {
    /// Returns the host that a method of the host's own classes is called in. The component value of these classes holds
    /// a host table, as any component's does.
    static func of(_ context: ComponentContext?) throws(LinkError) -> HostCore {
        guard let functions = unsafe context?.hostFunctions else {
            throw LinkError(.stopped, message: "the host no longer exists")
        }
        return unsafe HostTable.of(functions).core
    }
}
