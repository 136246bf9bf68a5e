/// A number that is computed at each call from parameters and results, or a text.
indirect enum Formula: Sendable, Hashable {
    case number(Int64)
    case text(String)
    /// A parameter, `return`, or a constant.
    case name(String)
    /// The size of a type as C names it.
    case sizeOf(String)
    case sum(Formula, Formula)
    case difference(Formula, Formula)
    case product(Formula, Formula)
    /// Another function of the library.
    case call(String, [Formula])

    /// The functions that it calls.
    var functions: Set<String> {
        switch self {
        case .number, .text, .name, .sizeOf: []
        case .sum(let left, let right), .difference(let left, let right), .product(let left, let right):
            left.functions.union(right.functions)
        case .call(let name, let arguments): arguments.reduce(into: [name]) { $0.formUnion($1.functions) }
        }
    }
}
