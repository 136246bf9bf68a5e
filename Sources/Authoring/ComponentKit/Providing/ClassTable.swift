import CHSLink
import Glibc

/// The boundary's tables for one link class: created once per image, constant, and never freed.
@safe
// Unchecked: written only while it is initialised, read-only afterwards.
final class ClassTable: @unchecked Sendable {
    /// The name under which hosts find the class.
    let boundaryClass: UnsafePointer<hslink_class>
    let objectType: UnsafePointer<hslink_object_type>

    private let makeInstance: @Sendable (ComponentContext) throws -> AnyObject
    private let methods: UnsafeMutablePointer<hslink_method>
    private let methodCount: Int

    /// An object type, followed by the members that the boundary does not define.
    @unsafe
    private struct TypeRecord {
        var base: hslink_object_type
        var table: UnsafeRawPointer
    }

    convenience init<Target: LinkClass>(
        _ type: Target.Type, name: String, instances: InstancePolicy,
        make: @escaping @Sendable (ComponentContext) throws -> Target = { try Target($0) }
    ) {
        self.init(Target.methods, name: name, instances: instances, make: make)
    }

    init<Target: LinkClass>(
        _ rows: [LinkMethod<Target>], name: String, instances: InstancePolicy,
        make: @escaping @Sendable (ComponentContext) throws -> Target
    ) {
        makeInstance = make
        methodCount = rows.count
        unsafe methods = .allocate(capacity: max(rows.count, 1))
        for (index, row) in rows.enumerated() {
            let record = unsafe Unmanaged.passRetained(MethodRecord(row.body))
            unsafe (methods + index).initialize(
                to: hslink_method(
                    name: hslink_string(constant: row.name), kind: row.kind.boundary, flags: row.flags,
                    function: MethodRecord.function, context: record.toOpaque()))
        }
        let boundaryClass = UnsafeMutablePointer<hslink_class>.allocate(capacity: 1)
        let typeRecord = UnsafeMutablePointer<TypeRecord>.allocate(capacity: 1)
        unsafe self.boundaryClass = unsafe UnsafePointer(boundaryClass)
        unsafe objectType = unsafe UnsafeRawPointer(typeRecord).assumingMemoryBound(to: hslink_object_type.self)
        let table = unsafe Unmanaged.passRetained(self).toOpaque()
        let constantName = unsafe hslink_string(constant: name)
        unsafe boundaryClass.initialize(
            to: hslink_class(
                struct_size: UInt32(MemoryLayout<hslink_class>.size), instances: instances.boundary,
                name: constantName, methods: methods, method_count: UInt32(rows.count),
                method_stride: UInt32(MemoryLayout<hslink_method>.stride), make: ClassTable.make, context: table))
        unsafe typeRecord.initialize(
            to: TypeRecord(
                base: hslink_object_type(
                    struct_size: UInt32(MemoryLayout<hslink_object_type>.size), reserved: 0, name: constantName,
                    retain: ObjectBox.retain, release: ObjectBox.release, invoke: ClassTable.invoke,
                    get_extension: ObjectBox.getExtension),
                table: UnsafeRawPointer(table)))
    }

    /// Returns the table under the class's own name, for instances that travel as objects.
    static func of<Target: LinkClass>(_ type: Target.Type) -> ClassTable {
        tables.withLock { tables in
            if let table = tables[ObjectIdentifier(type)] { return table }
            let table = ClassTable(type, name: "\(type)", instances: .shared)
            tables[ObjectIdentifier(type)] = table
            return table
        }
    }

    private static let tables = Lock<[ObjectIdentifier: ClassTable]>([:])

    private func findObjectMethod(_ name: hslink_string) -> UnsafeMutablePointer<hslink_method>? {
        for index in 0..<methodCount where unsafe Int(methods[index].kind) == HSLINK_OBJECT_METHOD {
            let candidate = unsafe methods[index].name
            guard unsafe candidate.length == name.length else { continue }
            if unsafe name.length == 0 { return unsafe methods + index }
            guard let left = unsafe candidate.utf8, let right = unsafe name.utf8 else { continue }
            if unsafe memcmp(left, right, name.length) == 0 { return unsafe methods + index }
        }
        return nil
    }

    private static let make:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutableRawPointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<hslink_object>?>, UnsafePointer<hslink_failure>
        ) -> Int32 = { context, component, instance, failure in
            guard let context = unsafe context, let component = unsafe component else { return 1 }
            let table = unsafe Unmanaged<ClassTable>.fromOpaque(context).takeUnretainedValue()
            let owner = unsafe Unmanaged<ComponentContext>.fromOpaque(component).takeUnretainedValue()
            do {
                let target = try table.makeInstance(owner)
                unsafe instance.pointee = unsafe ObjectBox.make(
                    target, type: table.objectType, backend: owner.link.backend)
                return 0
            } catch {
                unsafe LinkError(thrown: error).withUnsafeError {
                    unsafe failure.pointee.report(failure.pointee.context, $0)
                }
                return 1
            }
        }

    static let invoke:
        @convention(c) (
            UnsafeMutablePointer<hslink_object>, hslink_string, UnsafePointer<hslink_value>,
            UnsafePointer<hslink_call>
        ) -> Int32 = { object, selector, payload, call in
            let type = unsafe UnsafeRawPointer(object.pointee.type).assumingMemoryBound(to: TypeRecord.self)
            let table = unsafe Unmanaged<ClassTable>.fromOpaque(type.pointee.table).takeUnretainedValue()
            guard let method = unsafe table.findObjectMethod(selector) else {
                return unsafe MethodReply.fail(call, LinkError(.selectorNotFound, selector: String(name: selector)))
            }
            return unsafe ObjectBox.run(object, call) { _ in
                unsafe method.pointee.function(method.pointee.context, object, payload, call)
            }
        }
}
