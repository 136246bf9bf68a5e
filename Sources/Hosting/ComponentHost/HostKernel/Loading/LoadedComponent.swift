import CGlibc
import CHSLink
import ComponentKit
import Synchronization

/// A component in memory: the value that `create` made, and its classes.
@safe
// Unchecked: its pointers are set in init; by contract any thread may use the component, and the run state is atomic.
final class LoadedComponent: @unchecked Sendable {
    private let name: String
    let descriptor: UnsafePointer<hslink_descriptor>
    let value: UnsafeMutableRawPointer?
    /// The host's own reference to the table. The table holds the core, which holds this component; ``destroy()``
    /// breaks the cycle.
    private let table: Lock<HostTable?>
    let runState: UnsafeMutablePointer<ComponentRunState>
    let classes: [LoadedClass]
    let objectCounters: ObjectCounters
    /// The address at which its file is mapped; nil if it is linked into the program, or if its descriptor is not a
    /// constant of its file.
    let image: UInt?

    init(
        descriptor: UnsafePointer<hslink_descriptor>, value: UnsafeMutableRawPointer?, table: HostTable,
        classes: [DescriptorReader.Class], unit: ComponentUnit
    ) {
        name = unit.name
        unsafe self.descriptor = unsafe descriptor
        unsafe self.value = unsafe value
        self.table = Lock(table)
        unsafe runState = unsafe table.runState
        objectCounters = table.objectCounters
        let counters = table.core.engine.counters
        image = unit.file == nil ? nil : unsafe hslink_image_of(descriptor).map { UInt(bitPattern: $0) }
        let models = unit.checksPayloads ? ParameterModels(of: unit.manifest) : nil
        self.classes = classes.map { linkClass in
            unsafe LoadedClass(
                linkClass.boundary, name: linkClass.name, methods: linkClass.methods, unit: unit, component: value,
                runState: table.runState, counters: counters, models: models)
        }
    }

    /// Refuses all further calls, and notifies the component.
    func stop() {
        unsafe runState.stop()
        CrashStep.run("while it was told to stop", of: name) {
            CallerContext.withNothingCarried {
                unsafe DescriptorExtensions.stoppingExtension(of: descriptor)?(descriptor, value)
            }
        }
    }

    /// Destroys the component value. Call it only when no thread is running in the component and none can enter.
    func destroy() {
        CrashStep.run("while it was destroyed", of: name) {
            for linkClass in classes { linkClass.releaseInstances() }
            CallerContext.withNothingCarried { unsafe descriptor.pointee.destroy?(descriptor, value) }
        }
        _ = table.withLock { $0.take() }
    }
}
