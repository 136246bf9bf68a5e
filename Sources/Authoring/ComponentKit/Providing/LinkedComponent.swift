package import CHSLink

/// A component in the image that this code is linked into. A plugin file has one, an executable any number.
@safe
// Unchecked: a constant pointer to tables that are never changed or freed.
package struct LinkedComponent: @unchecked Sendable {
    /// The Swift module that declares it, as in its manifest.
    package let module: String
    package let descriptor: UnsafePointer<hslink_descriptor>

    /// All components of this image, in the order of their records.
    package static let all: [LinkedComponent] = {
        let components = entries.filter { if case .component = $0.content { true } else { false } }
        return components.map { component in
            // If the file has one component, every class belongs to it; otherwise the module decides.
            let isOnly = components.count == 1
            let classes = entries.compactMap { entry -> ClassTable? in
                guard isOnly || entry.module == component.module else { return nil }
                if case .linkClass(let table) = entry.content { return table }
                return nil
            }
            return unsafe LinkedComponent(module: component.module, descriptor: makeDescriptor(component, classes))
        }
    }()

    /// An address inside this image; nil if it has no components.
    package static var imageAddress: UnsafeRawPointer? {
        unsafe hslink_records_begin().map { unsafe UnsafeRawPointer($0) }
    }

    /// Returns a component made of the given classes, for the host's own classes.
    package static func make(name: String, version: String, _ classes: [ProvidedClass]) -> LinkedComponent {
        let entry = __LinkRecord.Entry(module: "", content: .component(name: name, version: version, type: nil))
        return unsafe LinkedComponent(module: "", descriptor: makeDescriptor(entry, classes.map(\.table)))
    }

    /// All records of this image; read only once, because reading a record creates a new entry.
    static let entries: [__LinkRecord.Entry] = recordEntries()

    private static func recordEntries() -> [__LinkRecord.Entry] {
        guard var record = unsafe hslink_records_begin(), let end = unsafe hslink_records_end() else { return [] }
        var entries: [__LinkRecord.Entry] = []
        while unsafe record < end {
            // The address sanitizer pads sections with zeros.
            if let entry = unsafe record.pointee?(1) {
                unsafe entries.append(Unmanaged<__LinkRecord.Entry>.fromOpaque(entry).takeUnretainedValue())
            }
            unsafe record += 1
        }
        return entries
    }

    /// A descriptor, followed by the members that the boundary does not define.
    @unsafe
    private struct DescriptorRecord {
        var base: hslink_descriptor
        var type: (any Component.Type)?
    }

    private static func makeDescriptor(
        _ component: __LinkRecord.Entry, _ classes: [ClassTable]
    ) -> UnsafePointer<hslink_descriptor> {
        guard case .component(let name, let version, let type) = component.content else {
            preconditionFailure("makeDescriptor is called with component records only")
        }
        let table = UnsafeMutablePointer<UnsafePointer<hslink_class>>.allocate(capacity: max(classes.count, 1))
        for (index, entry) in classes.enumerated() { unsafe (table + index).initialize(to: entry.boundaryClass) }
        let record = UnsafeMutablePointer<DescriptorRecord>.allocate(capacity: 1)
        unsafe record.initialize(
            to: DescriptorRecord(
                base: hslink_descriptor(
                    magic: 0x0A0D_4B4E_494C_5348, struct_size: UInt32(MemoryLayout<hslink_descriptor>.size),
                    abi_major: UInt16(HSLINK_ABI_MAJOR), abi_minor: UInt16(HSLINK_ABI_MINOR),
                    name: hslink_string(constant: name), version: hslink_string(constant: version),
                    classes: table, class_count: UInt64(classes.count), create: create, destroy: destroy,
                    get_extension: getExtension),
                type: type))
        return unsafe UnsafeRawPointer(record).assumingMemoryBound(to: hslink_descriptor.self)
    }

    private static let create:
        @convention(c) (
            UnsafePointer<hslink_descriptor>, UnsafePointer<hslink_host>,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafePointer<hslink_failure>
        ) -> Int32 = { descriptor, host, component, failure in
            let record = unsafe UnsafeRawPointer(descriptor).assumingMemoryBound(to: DescriptorRecord.self)
            let context = unsafe ComponentContext(host: host)
            do {
                try unsafe context.start(record.pointee.type)
            } catch {
                context.stop()
                unsafe LinkError(thrown: error).withUnsafeError {
                    unsafe failure.pointee.report(failure.pointee.context, $0)
                }
                return 1
            }
            unsafe component.pointee = unsafe Unmanaged.passRetained(context).toOpaque()
            return 0
        }

    private static let destroy: @convention(c) (UnsafePointer<hslink_descriptor>, UnsafeMutableRawPointer?) -> Void = {
        _, component in
        guard let component = unsafe component else { return }
        unsafe Unmanaged<ComponentContext>.fromOpaque(component).takeRetainedValue().stop()
    }

    private static let getExtension:
        @convention(c) (UnsafePointer<hslink_descriptor>, hslink_string) -> UnsafeRawPointer? = { _, identifier in
            unsafe hslink_string_equals(identifier, HSLINK_STOPPING) != 0 ? UnsafeRawPointer(stoppingTable) : nil
        }

    /// Shared by all components; written only while it is created, read-only afterwards.
    nonisolated(unsafe) private static let stoppingTable = unsafe UnsafePointer(
        constant: hslink_stopping(
            struct_size: UInt32(MemoryLayout<hslink_stopping>.size), reserved: 0,
            stopping: { _, component in
                guard let component = unsafe component else { return }
                unsafe Unmanaged<ComponentContext>.fromOpaque(component).takeUnretainedValue().stopping()
            }))
}

/// The entry point of a plugin file. Defined only here; every file links its own copy.
@c(hslink_component)
package func hslinkComponent() -> UnsafePointer<hslink_descriptor>? {
    unsafe LinkedComponent.all.first?.descriptor
}
