import CHSLink
import ComponentKit
import Synchronization

/// A component in memory: its value, made by `create`, and its classes.
@safe
// Unchecked: its pointers are set in init; by contract any thread may use the component, and the cell is atomics.
final class LoadedComponent: @unchecked Sendable {
    let descriptor: UnsafePointer<hslink_descriptor>
    let value: UnsafeMutableRawPointer?
    /// The host's own reference, let go of by ``destroy()``: the table holds the core, which holds this.
    private let table: Lock<HostTable?>
    let cell: UnsafeMutablePointer<ComponentCell>
    let classes: [LoadedClass]

    init(
        descriptor: UnsafePointer<hslink_descriptor>, value: UnsafeMutableRawPointer?, table: HostTable,
        classes: [DescriptorReader.Class], unit: ComponentUnit
    ) {
        unsafe self.descriptor = unsafe descriptor
        unsafe self.value = unsafe value
        self.table = Lock(table)
        unsafe cell = unsafe table.cell
        self.classes = classes.map { linkClass in
            unsafe LoadedClass(
                linkClass.boundary, name: linkClass.name, methods: linkClass.methods, unit: unit, component: value,
                cell: table.cell)
        }
    }

    /// Whether calls are taken.
    var isRunning: Bool { unsafe cell.pointee.runState.load(ordering: .acquiring) != ComponentCell.RunState.stopped }

    /// Refuses calls from now on.
    func refuseCalls() {
        unsafe cell.pointee.runState.store(ComponentCell.RunState.stopped, ordering: .sequentiallyConsistent)
    }

    /// Ends the component value. Only when no thread is inside and none can come.
    func destroy() {
        for linkClass in classes { linkClass.releaseInstances() }
        unsafe descriptor.pointee.destroy?(descriptor, value)
        _ = table.withLock { $0.take() }
    }
}
