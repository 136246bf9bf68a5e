import CHSLink
import ComponentKit
import Glibc
import Synchronization

/// The functions of a host as one component sees them: the `hslink_host` that its `create` is given. It
/// counts its references, since objects of the component may outlive the host's own use of it.
@safe
// Unchecked: its pointers lead to texts and a record that are written in init and never again, and to atomics.
final class HostTable: @unchecked Sendable {
    /// What the component holds: the boundary's struct first, then the way back to this.
    @unsafe
    private struct Record {
        var base: hslink_host
        var table: UnsafeMutableRawPointer
    }

    let core: HostCore
    let unit: ComponentUnit
    /// The identity and state of the component value that this was made for.
    let runState: UnsafeMutablePointer<ComponentRunState>
    private let record: UnsafeMutablePointer<Record>
    private let name: UnsafeMutablePointer<CChar>
    private let directory: UnsafeMutablePointer<CChar>
    /// The address of the path that the component was told, NUL at its end; 0 before.
    let dataPath = Lock<UInt>(0)

    init(core: HostCore, unit: ComponentUnit) {
        self.core = core
        self.unit = unit
        unsafe runState = ComponentRunState.make(of: unit.number)
        unsafe record = .allocate(capacity: 1)
        unsafe name = unsafe strdup(unit.name)
        unsafe directory = unsafe strdup(unit.directory)
        unsafe caller = unsafe unit.isHost ? hslink_string() : hslink_string_c(name)
        unsafe record.initialize(
            to: Record(
                base: HostTable.makeBase(hslink_string_c(name), hslink_string_c(directory)),
                table: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit {
        unsafe free(name)
        unsafe free(directory)
        unsafe free(UnsafeMutableRawPointer(bitPattern: dataPath.withLock { $0 }))
        unsafe record.deallocate()
    }

    var pointer: UnsafePointer<hslink_host> {
        unsafe UnsafeRawPointer(record).assumingMemoryBound(to: hslink_host.self)
    }

    /// The component's name as those that it calls see it, for as long as this lives; empty for the program's own
    /// classes, which are the host's own code.
    let caller: hslink_string

    static func unmanaged(_ host: UnsafePointer<hslink_host>) -> Unmanaged<HostTable> {
        let record = unsafe UnsafeRawPointer(host).assumingMemoryBound(to: Record.self)
        return unsafe Unmanaged<HostTable>.fromOpaque(record.pointee.table)
    }

    static func of(_ host: UnsafePointer<hslink_host>) -> HostTable { unsafe unmanaged(host).takeUnretainedValue() }

    /// Whether calls through the table are refused.
    var isClosed: Bool { unsafe runState.isStopped }
}
