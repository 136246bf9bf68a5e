import CDeclarations

/// From the types of a set of declarations to libffi's. One thread at a time.
final class InterfaceTypes {
    private let declarations: CDeclarations
    private var records: [CRecord: InterfaceType] = [:]

    /// Of a value on the stack.
    private static let maximumSize = 1 << 16

    init(_ declarations: CDeclarations) { self.declarations = declarations }

    /// - Throws: why values of the type can't be passed.
    func type(of type: CType) throws(CObstacle) -> InterfaceType {
        switch type.kind {
        case .void: return .void
        case .scalar(let scalar): return .scalar(scalar, on: declarations.target)
        case .enumeration(let enumeration): return .scalar(enumeration.underlying, on: declarations.target)
        case .pointer: return .pointer
        case .unsupported(let unsupported): throw unsupported.obstacle
        case .function: throw CObstacle("a function is not passed by value")
        case .array: throw CObstacle("an array is not passed by value")
        case .record(let record):
            if let known = records[record] { return known }
            let made = try make(record)
            records[record] = made
            return made
        }
    }

    private func make(_ record: CRecord) throws(CObstacle) -> InterfaceType {
        guard let definition = declarations.definition(of: record) else {
            throw CObstacle("\(record.name) is not defined, so that no value of it can be passed")
        }
        let layout = try definition.layout.get()
        if let obstacle = definition.obstacle { throw obstacle }
        guard !definition.hasFlexibleArray else {
            throw CObstacle("\(record.name) ends with an array without a length, so that no value of it can be passed")
        }
        guard layout.size > 0 else { throw CObstacle("\(record.name) is empty, so that no value of it can be passed") }
        guard layout.alignment <= 16, layout.size <= InterfaceTypes.maximumSize else {
            throw CObstacle(
                "\(record.name) has \(layout.size) bytes aligned to \(layout.alignment): at most "
                    + "\(InterfaceTypes.maximumSize) aligned to 16 are passed by value")
        }
        var leaves = RecordLeaves(declarations)
        try leaves.add(definition, at: 0)
        return InterfaceType(elements: try leaves.elements(of: record, layout), layout)
    }
}
