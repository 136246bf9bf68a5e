import CDeclarations
import CFFI

/// A libffi type: a number, or a struct with its elements.
@safe
// Unchecked: written in init, read-only from then on.
final class InterfaceType: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<ffi_type>
    /// Retained because the libffi type points to the types of its elements.
    private let elements: [InterfaceType]
    private let list: UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>?

    /// - Parameter number: One of libffi's basic types.
    init(_ number: Int32) {
        guard let type = unsafe hslink_ffi_type(number) else {
            preconditionFailure("expected the number of a basic libffi type")
        }
        unsafe pointer = unsafe type
        elements = []
        unsafe list = nil
    }

    deinit {
        guard let list = unsafe list else { return }
        unsafe list.deallocate()
        unsafe pointer.deallocate()
    }

    /// Makes a struct of these elements. The layout is set here, so that libffi does not compute one.
    init(elements: [InterfaceType], _ layout: CLayout) {
        let list = UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>.allocate(capacity: elements.count + 1)
        for (index, element) in elements.enumerated() { unsafe (list + index).initialize(to: element.pointer) }
        unsafe (list + elements.count).initialize(to: nil)
        self.elements = elements
        unsafe self.list = unsafe list
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(
            to: ffi_type(
                size: layout.size, alignment: UInt16(layout.alignment), type: UInt16(FFI_TYPE_STRUCT), elements: list))
    }

    /// The kind of register for eight bytes of a value.
    enum Eightbyte {
        case integer, float
    }

    /// The registers for a value on x86_64; none if it is passed on the stack.
    var eightbytes: [Eightbyte] {
        guard !isInMemory, size > 0 else { return [] }
        if elements.isEmpty { return [self == .float || self == .double ? .float : .integer] }
        var found = Array(repeating: Eightbyte.float, count: (size + 7) / 8)
        var offset = 0
        for element in elements {
            // Elements are numbers, aligned to their sizes.
            offset = (offset + element.size - 1) / element.size * element.size
            if element != .float, element != .double { found[offset / 8] = .integer }
            offset += element.size
        }
        return found
    }

    /// Whether a value is passed and returned on the stack on x86_64.
    var isInMemory: Bool { elements.isEmpty ? self == .longDouble : size > 16 || elements.contains(.longDouble) }

    /// Whether a value is a number or a pointer that is passed and returned in one register.
    var isInRegister: Bool { elements.isEmpty && self != .longDouble }

    /// Whether libffi returns values: on x86_64, it looks for a struct with a long double on the stack.
    var isSupportedResult: Bool { elements.isEmpty || size > 16 || !elements.contains(.longDouble) }

    /// The size of a value in bytes.
    var size: Int { unsafe pointer.pointee.size }

    static let void = InterfaceType(FFI_TYPE_VOID)
    static let pointer = InterfaceType(FFI_TYPE_POINTER)
    static let int64 = InterfaceType(FFI_TYPE_SINT64)
    static let double = InterfaceType(FFI_TYPE_DOUBLE)
    static let float = InterfaceType(FFI_TYPE_FLOAT)
    static let longDouble = InterfaceType(FFI_TYPE_LONGDOUBLE)

    /// Returns the type of an integer of 1, 2, 4 or 8 bytes.
    static func integer(size: Int, isSigned: Bool) -> InterfaceType {
        switch size {
        case 1: InterfaceType(isSigned ? FFI_TYPE_SINT8 : FFI_TYPE_UINT8)
        case 2: InterfaceType(isSigned ? FFI_TYPE_SINT16 : FFI_TYPE_UINT16)
        case 4: InterfaceType(isSigned ? FFI_TYPE_SINT32 : FFI_TYPE_UINT32)
        default: InterfaceType(isSigned ? FFI_TYPE_SINT64 : FFI_TYPE_UINT64)
        }
    }

    /// Returns the type of a scalar.
    static func scalar(_ scalar: CScalar, on target: CTarget) -> InterfaceType {
        switch scalar {
        case .float: float
        case .double: double
        case .longDouble: longDouble
        default: integer(size: scalar.size, isSigned: scalar.isSigned(on: target))
        }
    }
}

extension InterfaceType: Hashable {
    static func == (left: InterfaceType, right: InterfaceType) -> Bool { unsafe left.pointer == right.pointer }

    func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }
}
