import CHSLink
import ComponentKit
import Glibc
import TestSupport
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("Descriptors of exactly the sizes of ABI 1.0")
struct DescriptorReaderTests {
    private static let manifest: Payload = [
        "name": "Exact", "version": "1.0.0",
        "classes": [["name": "ExactLink", "selectors": [["name": "run", "kind": "class"]]]],
    ]

    private static func text(_ text: String) -> UnsafeMutablePointer<CChar> {
        guard let copy = unsafe strdup(text) else { preconditionFailure("no memory") }
        return unsafe copy
    }

    /// A component whose structs all end at unreadable pages.
    @safe
    private final class Exact {
        private let texts: [UnsafeMutablePointer<CChar>]
        private let rows: GuardedBytes
        private let linkClass: GuardedBytes
        private let table: UnsafeMutablePointer<UnsafePointer<hslink_class>>
        let descriptor: GuardedBytes

        /// - Parameters:
        ///   - sizes: The sizes of the structs in bytes, which the structs declare too.
        init(
            descriptor size: Int = HSLINK_DESCRIPTOR_SIZE_1_0, linkClass classSize: Int = HSLINK_CLASS_SIZE_1_0,
            stride: Int = HSLINK_METHOD_SIZE_1_0
        ) {
            unsafe texts = ["Exact", "1.0.0", "ExactLink", "run"].map { unsafe DescriptorReaderTests.text($0) }
            let method = unsafe hslink_method(
                name: hslink_string_c(texts[3]), kind: UInt32(HSLINK_CLASS_METHOD), flags: 0,
                function: { _, _, _, call in unsafe hslink_return(call, hslink_null()) }, context: nil)
            // Two rows; the last one ends at the unreadable page.
            let table = GuardedBytes(0, count: stride * 2)
            for index in 0..<2 {
                unsafe withUnsafeBytes(of: method) { bytes in
                    guard let source = bytes.baseAddress else { return }
                    unsafe (table.start + index * stride).copyMemory(from: source, byteCount: min(40, stride))
                }
            }
            rows = table
            linkClass = unsafe GuardedBytes(
                hslink_class(
                    struct_size: UInt32(classSize), instances: 0, name: hslink_string_c(texts[2]),
                    methods: rows.start.assumingMemoryBound(to: hslink_method.self), method_count: 2,
                    method_stride: UInt32(stride), make: nil, context: nil), count: classSize)
            unsafe self.table = .allocate(capacity: 1)
            unsafe self.table.initialize(to: linkClass.start.assumingMemoryBound(to: hslink_class.self))
            descriptor = unsafe GuardedBytes(
                hslink_descriptor(
                    magic: hslinkMagic, struct_size: UInt32(size), abi_major: 1, abi_minor: 0,
                    name: hslink_string_c(texts[0]), version: hslink_string_c(texts[1]), classes: self.table,
                    class_count: 1,
                    create: nil, destroy: nil, get_extension: nil), count: size)
        }

        deinit {
            for index in 0..<4 { unsafe free(texts[index]) }
            unsafe table.deallocate()
        }

        func read() throws -> [DescriptorReader.Class] {
            let reader = try unsafe DescriptorReader(
                descriptor.start.assumingMemoryBound(to: hslink_descriptor.self))
            return try reader.classes(declaredBy: Manifest(DescriptorReaderTests.manifest))
        }
    }

    /// A component with one class that has these class methods.
    @safe
    private final class Long {
        private let texts: [UnsafeMutablePointer<CChar>]
        private let rows: UnsafeMutablePointer<hslink_method>
        private let linkClass: UnsafeMutablePointer<hslink_class>
        private let table: UnsafeMutablePointer<UnsafePointer<hslink_class>>
        private let descriptor: UnsafeMutablePointer<hslink_descriptor>

        init(_ names: [String]) {
            unsafe texts = (["Exact", "1.0.0", "ExactLink"] + names).map { unsafe DescriptorReaderTests.text($0) }
            unsafe rows = .allocate(capacity: names.count)
            for index in names.indices {
                unsafe (rows + index).initialize(
                    to: hslink_method(
                        name: hslink_string_c(texts[3 + index]), kind: UInt32(HSLINK_CLASS_METHOD), flags: 0,
                        function: { _, _, _, call in unsafe hslink_return(call, hslink_null()) }, context: nil))
            }
            unsafe linkClass = .allocate(capacity: 1)
            unsafe linkClass.initialize(
                to: hslink_class(
                    struct_size: UInt32(HSLINK_CLASS_SIZE_1_0), instances: 0, name: hslink_string_c(texts[2]),
                    methods: rows, method_count: UInt32(names.count),
                    method_stride: UInt32(MemoryLayout<hslink_method>.stride), make: nil, context: nil))
            unsafe table = .allocate(capacity: 1)
            unsafe table.initialize(to: UnsafePointer(linkClass))
            unsafe descriptor = .allocate(capacity: 1)
            unsafe descriptor.initialize(
                to: hslink_descriptor(
                    magic: hslinkMagic, struct_size: UInt32(HSLINK_DESCRIPTOR_SIZE_1_0), abi_major: 1, abi_minor: 0,
                    name: hslink_string_c(texts[0]), version: hslink_string_c(texts[1]), classes: table,
                    class_count: 1, create: nil, destroy: nil, get_extension: nil))
        }

        deinit {
            for index in unsafe texts.indices { unsafe free(texts[index]) }
            unsafe rows.deallocate()
            unsafe linkClass.deallocate()
            unsafe table.deallocate()
            unsafe descriptor.deallocate()
        }

        func read(_ manifest: Manifest) throws -> [DescriptorReader.Class] {
            try unsafe DescriptorReader(descriptor).classes(declaredBy: manifest)
        }
    }

    // A search among the methods for each of those that are declared would take minutes.
    @Test(
        "are compared with the manifest at once, however many methods a class has",
        .timeLimit(.minutes(TestPatience.factor)))
    func manyMethods() throws {
        let names = (0..<65_536).map { "method\($0)" }
        let selectors: [Payload] = names.reversed().map { ["name": .string($0), "kind": "class"] }
        let manifest = try Manifest([
            "name": "Exact", "version": "1.0.0", "classes": [["name": "ExactLink", "selectors": .array(selectors)]],
        ])
        let component = Long(names)
        #expect(try component.read(manifest)[0].methods.count == names.count)
        let without = Long(Array(names.dropLast()))
        #expect(throws: LinkError.self) { try without.read(manifest) }
    }

    @Test("are accepted, and no byte beyond is read")
    func exact() throws {
        let exact = Exact()
        let classes = try exact.read()
        #expect(classes.map(\.name) == ["ExactLink"])
        #expect(classes[0].methods.map(\.name) == ["run", "run"])
    }

    @Test("are accepted if longer", arguments: [(96, 64, 48), (400, 400, 400), (89, 57, 41)])
    func longer(descriptor: Int, linkClass: Int, stride: Int) throws {
        let exact = Exact(descriptor: descriptor, linkClass: linkClass, stride: stride)
        #expect(try exact.read()[0].methods.map(\.name) == ["run", "run"])
    }

    @Test("are refused if shorter", arguments: [(80, 56, 40), (88, 48, 40), (88, 56, 32), (16, 56, 40), (88, 56, 0)])
    func shorter(descriptor: Int, linkClass: Int, stride: Int) throws {
        let exact = Exact(descriptor: descriptor, linkClass: linkClass, stride: stride)
        let error = #expect(throws: LinkError.self) { try exact.read() }
        #expect(error?.code == .invalidDescriptor)
    }
}
