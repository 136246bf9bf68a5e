import CDeclarations

/// What a pointer means if its annotation says neither a direction nor the kind of value.
enum PlainPointer {
    /// Text that ends with a NUL.
    case text
    case handle(HandleKind)
    /// One struct or union.
    case value(CRecord)
    case function(CFunctionType)
    /// Nothing, so an annotation is needed.
    case unknown
}

extension PlanningScope {
    /// - Parameter isInput: Whether a program passes the pointer to C, which may write to a target that is not const.
    func plainPointer(to pointee: CType, isInput: Bool) -> PlainPointer {
        let isRead = pointee.isConst || !isInput
        // A struct that functions return is an object of the library, of which these may be the first fields only.
        if isInput, case .record(let record) = pointee.kind, isDefined(record), isMade(record) { return .unknown }
        return switch pointee.kind {
        case .scalar(.char) where isRead: .text
        case .record(let record) where !isDefined(record): .handle(kind(record))
        case .record(let record) where isRead: .value(record)
        case .function(let function): .function(function)
        default: .unknown
        }
    }
}

extension CType {
    /// Whether a value of the type is a character or a byte, so that a pointer to it may lead to text.
    var isByteSized: Bool {
        if case .scalar(let scalar) = kind { scalar.size == 1 && scalar != .bool } else { false }
    }
}
