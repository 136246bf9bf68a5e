// What an annotation names.
extension Annotation {
    /// The formulas in it.
    var formulas: [Formula] {
        var formulas: [Formula] = [fallback, errorRule?.number, errorRule?.message].compactMap(\.self)
        formulas += errorRule?.tests.map(\.value) ?? []
        switch shape {
        case .string(let room?), .bytes(let room), .items(let room):
            formulas += [room.size] + (room.used.map { [$0] } ?? [])
        case .constant(let formula): formulas.append(formula)
        default: break
        }
        return formulas
    }

    /// The types that the formulas measure with `sizeof`.
    var sizedTypes: [String] { formulas.flatMap(\.sizedTypes) }

    /// The kind of handle that the annotation names.
    var handleName: String? {
        if case .handle(let name)? = shape { name } else { nil }
    }
}

extension Formula {
    /// The types that the formula measures with `sizeof`.
    var sizedTypes: [String] {
        switch self {
        case .number, .text, .name, .member: []
        case .sizeOf(let type): [type]
        case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
            left.sizedTypes + right.sizedTypes
        case .call(_, let arguments): arguments.flatMap(\.sizedTypes)
        }
    }
}
