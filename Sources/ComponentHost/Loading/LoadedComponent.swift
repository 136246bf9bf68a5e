import CGlibc
import CHSLink
import ComponentKit
import Synchronization

/// A component in memory: its value, made by `create`, and its classes.
@safe
// Unchecked: its pointers are set in init; by contract any thread may use the component, and the run state is atomics.
final class LoadedComponent: @unchecked Sendable {
    let descriptor: UnsafePointer<hslink_descriptor>
    let value: UnsafeMutableRawPointer?
    /// The host's own reference, let go of by ``destroy()``: the table holds the core, which holds this.
    private let table: Lock<HostTable?>
    let runState: UnsafeMutablePointer<ComponentRunState>
    let classes: [LoadedClass]
    /// Where its file lies in memory; nil for one that is linked in, or whose descriptor is not a constant of its file.
    let image: UInt?

    init(
        descriptor: UnsafePointer<hslink_descriptor>, value: UnsafeMutableRawPointer?, table: HostTable,
        classes: [DescriptorReader.Class], unit: ComponentUnit
    ) {
        unsafe self.descriptor = unsafe descriptor
        unsafe self.value = unsafe value
        self.table = Lock(table)
        unsafe runState = unsafe table.runState
        image = unit.file == nil ? nil : unsafe hslink_image_of(descriptor).map { UInt(bitPattern: $0) }
        self.classes = classes.map { linkClass in
            unsafe LoadedClass(
                linkClass.boundary, name: linkClass.name, methods: linkClass.methods, unit: unit, component: value,
                runState: table.runState)
        }
    }

    /// Takes nothing any more, and tells the component.
    func stop() {
        unsafe runState.stop()
        unsafe DescriptorExtensions.stoppingExtension(of: descriptor)?(descriptor, value)
    }

    /// Ends the component value. Only when nobody is inside and nobody can come.
    func destroy() {
        for linkClass in classes { linkClass.releaseInstances() }
        unsafe descriptor.pointee.destroy?(descriptor, value)
        _ = table.withLock { $0.take() }
    }
}
