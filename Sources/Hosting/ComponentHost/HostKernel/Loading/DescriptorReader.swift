import CHSLink
import ComponentCatalog
import ComponentKit
import SystemSupport

/// Reads the descriptor that `hslink_component` returned, without trusting its sizes, and compares it with the
/// manifest.
@safe
struct DescriptorReader {
    @safe
    struct Method {
        let name: String
        let kind: SelectorKind
        let flags: UInt32
        let function: hslink_method_function
        let context: UnsafeMutableRawPointer?
    }

    @safe
    struct Class {
        let name: String
        let boundary: UnsafePointer<hslink_class>
        let methods: [Method]
    }

    let descriptor: UnsafePointer<hslink_descriptor>

    /// - Throws: `LinkError` with code ``LinkError/Code/wrongABI`` or ``LinkError/Code/invalidDescriptor``.
    init(_ descriptor: UnsafePointer<hslink_descriptor>) throws(LinkError) {
        // Magic number, size and version fill the first 16 bytes in every revision.
        let bytes = unsafe UnsafeRawPointer(descriptor)
        let magic = unsafe bytes.loadUnaligned(as: UInt64.self)
        guard magic == hslinkMagic else {
            throw LinkError(
                .invalidDescriptor,
                message: "its descriptor begins with 0x\(String(magic, radix: 16)) instead of the magic number")
        }
        let major = unsafe bytes.loadUnaligned(fromByteOffset: 12, as: UInt16.self)
        let minor = unsafe bytes.loadUnaligned(fromByteOffset: 14, as: UInt16.self)
        guard Int(major) == HSLINK_ABI_MAJOR else {
            throw LinkError(
                .wrongABI,
                message: "its descriptor has ABI \(major).\(minor), but this host has "
                    + "\(HSLINK_ABI_MAJOR).\(HSLINK_ABI_MINOR); rebuild the component")
        }
        let size = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        guard Int(size) >= HSLINK_DESCRIPTOR_SIZE_1_0 else {
            throw LinkError(
                .invalidDescriptor,
                message: "its descriptor declares \(size) bytes, but ABI 1.0 requires \(HSLINK_DESCRIPTOR_SIZE_1_0)")
        }
        unsafe self.descriptor = unsafe descriptor
    }

    /// Returns the classes that the manifest declares, each with all its methods, including undeclared ones.
    ///
    /// - Throws: `LinkError` with code ``LinkError/Code/invalidDescriptor`` if the descriptor is malformed or
    ///   contradicts the manifest.
    func classes(declaredBy manifest: Manifest) throws(LinkError) -> [Class] {
        let found = try compare(with: manifest) { (message) throws(LinkError) in
            throw LinkError(.invalidDescriptor, message: message)
        }
        let places = Dictionary(firstOf: found.enumerated().map { (ExactText($1.name), $0) })
        return manifest.classes.compactMap { places[ExactText($0.name)] }.map { found[$0] }
    }

    /// Returns everything in which the descriptor contradicts the manifest, a sentence each, and the classes that only the
    /// descriptor has: nobody can call them.
    ///
    /// - Throws: `LinkError` with code ``LinkError/Code/invalidDescriptor`` if the descriptor is malformed.
    func differences(from manifest: Manifest) throws(LinkError) -> [String] {
        var differences: [String] = []
        let found = try compare(with: manifest) { (message) throws(LinkError) in differences.append(message) }
        let declared = Set(manifest.classes.map { ExactText($0.name) })
        for linkClass in found where !declared.contains(ExactText(linkClass.name)) {
            differences.append(
                "its descriptor has class \(linkClass.name), but its manifest does not declare it, "
                    + "so no call reaches it")
        }
        return differences
    }

    /// Compares the descriptor with the manifest.
    ///
    /// - Parameter report: called with a sentence for each contradiction; what it throws ends the comparison.
    /// - Returns: All classes of the descriptor.
    private func compare(
        with manifest: Manifest, _ report: (String) throws(LinkError) -> Void
    ) throws(LinkError) -> [Class] {
        let name = unsafe String(name: descriptor.pointee.name)
        let version = unsafe String(name: descriptor.pointee.version)
        if !name.isExactly(manifest.name) || version != manifest.version.description {
            try report(
                "its descriptor declares \(name) \(version), but its manifest \(manifest.name) \(manifest.version)")
        }
        let found = try readClasses()
        let places = Dictionary(firstOf: found.enumerated().map { (ExactText($1.name), $0) })
        for declaration in manifest.classes {
            guard let linkClass = places[ExactText(declaration.name)].map({ found[$0] }) else {
                try report("its manifest declares class \(declaration.name), but its descriptor does not have it")
                continue
            }
            let methods = Set(linkClass.methods.map { SelectorReference(name: $0.name, kind: $0.kind) })
            for selector in declaration.selectors where !methods.contains(selector.reference) {
                try report(
                    "its manifest declares \(selector.kind) selector \(selector.name) of class "
                        + "\(declaration.name), but its descriptor does not have it")
            }
        }
        return found
    }

    private func readClasses() throws(LinkError) -> [Class] {
        let count = unsafe Int(clamping: descriptor.pointee.class_count)
        guard count > 0 else { return [] }
        guard let table = unsafe descriptor.pointee.classes, count <= 4096 else {
            throw LinkError(.invalidDescriptor, message: "its descriptor has a broken class table (\(count) classes)")
        }
        var classes: [Class] = []
        for index in 0..<count {
            // Declared nonnull, but a broken component may contain NULL.
            let entry = unsafe UnsafeRawPointer(table + index).loadUnaligned(as: UnsafePointer<hslink_class>?.self)
            guard let boundary = unsafe entry else {
                throw LinkError(.invalidDescriptor, message: "class \(index) of its descriptor is a null pointer")
            }
            guard unsafe Int(boundary.pointee.struct_size) >= HSLINK_CLASS_SIZE_1_0 else {
                throw LinkError(
                    .invalidDescriptor,
                    message: unsafe "class \(index) declares \(boundary.pointee.struct_size) bytes, "
                        + "but ABI 1.0 requires \(HSLINK_CLASS_SIZE_1_0)")
            }
            guard let name = unsafe boundary.pointee.name.name else {
                throw LinkError(
                    .invalidDescriptor,
                    message: unsafe "class \(index) has an invalid name: \(boundary.pointee.name.placeholder)")
            }
            guard unsafe (HSLINK_SHARED...HSLINK_PER_CONSUMER).contains(Int(boundary.pointee.instances)) else {
                throw LinkError(
                    .invalidDescriptor,
                    message: unsafe "class \(name) declares instances of a kind that this host "
                        + "does not know (\(boundary.pointee.instances))")
            }
            unsafe classes.append(
                Class(name: name, boundary: boundary, methods: try readMethods(boundary, of: name)))
        }
        return classes
    }

    private func readMethods(
        _ boundary: UnsafePointer<hslink_class>, of className: String
    ) throws(LinkError) -> [Method] {
        let count = unsafe Int(boundary.pointee.method_count)
        let stride = unsafe Int(boundary.pointee.method_stride)
        guard count > 0 else { return [] }
        guard let first = unsafe boundary.pointee.methods, count <= 65536,
            stride >= HSLINK_METHOD_SIZE_1_0
        else {
            throw LinkError(.invalidDescriptor, message: "class \(className) has a broken method table")
        }
        var methods: [Method] = []
        let makesInstances = unsafe boundary.pointee.make != nil
        for index in 0..<count {
            let row = unsafe UnsafeRawPointer(first).advanced(by: index * stride)
            guard unsafe row.loadUnaligned(fromByteOffset: 24, as: UnsafeRawPointer?.self) != nil else {
                throw LinkError(
                    .invalidDescriptor,
                    message: "method \(index) of class \(className) has no function")
            }
            let method = unsafe row.loadBeginning(of: hslink_method.self, size: stride)
            // Skip kinds from a later revision, which this host does not know.
            guard let kind = unsafe SelectorKind(boundary: method.kind) else { continue }
            guard kind == .class || makesInstances else {
                throw LinkError(
                    .invalidDescriptor,
                    message: "class \(className) has object methods but makes no instances")
            }
            guard let name = unsafe method.name.name else {
                throw LinkError(
                    .invalidDescriptor,
                    message: unsafe "method \(index) of class \(className) has an invalid name: "
                        + method.name.placeholder)
            }
            unsafe methods.append(
                Method(
                    name: name, kind: kind, flags: method.flags, function: method.function,
                    context: method.context))
        }
        return methods
    }
}

/// The value of HSLINK_MAGIC, whose C definition Swift does not import.
let hslinkMagic: UInt64 = 0x0A0D_4B4E_494C_5348

/// Reads the extensions of a component's descriptor without trusting them.
enum DescriptorExtensions {
    /// Notifies the component with this descriptor and value that its host is beginning to stop it.
    typealias Stopping = @convention(c) (UnsafePointer<hslink_descriptor>, UnsafeMutableRawPointer?) -> Void

    /// Returns the function of the extension `hslink.stopping/1`.
    ///
    /// - Parameter descriptor: a descriptor that ``DescriptorReader`` has accepted.
    /// - Returns: Nil if the component does not have the extension, or if its table is malformed.
    static func stoppingExtension(of descriptor: UnsafePointer<hslink_descriptor>) -> Stopping? {
        guard let getExtension = unsafe descriptor.pointee.get_extension,
            let table = unsafe HSLINK_STOPPING.withLinkString({ unsafe getExtension(descriptor, $0) }),
            unsafe table.load(as: UInt32.self) >= HSLINK_STOPPING_SIZE_1_0,
            // Declared nonnull, but a broken component may contain NULL.
            unsafe table.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) != nil
        else { return nil }
        return unsafe table.assumingMemoryBound(to: hslink_stopping.self).pointee.stopping
    }
}
