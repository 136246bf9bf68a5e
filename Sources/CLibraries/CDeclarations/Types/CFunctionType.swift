/// The parameters and the result of a function.
package struct CFunctionType: Sendable, Hashable, CustomStringConvertible {
    package let result: CType
    /// The parameters, in order. Arrays and functions are adjusted to pointers, as in C.
    package var parameters: [CParameter]
    /// Whether the parameter list ends with `...`.
    package let isVariadic: Bool
    /// Whether the parameters are declared; false for `f()`.
    package let hasPrototype: Bool
    /// The reason why an attribute, such as an unsupported calling convention, makes calls impossible.
    package var obstacle: CObstacle?

    package init(
        result: CType, parameters: [CParameter], isVariadic: Bool = false, hasPrototype: Bool = true,
        obstacle: CObstacle? = nil
    ) {
        self.result = result
        self.parameters = parameters
        self.isVariadic = isVariadic
        self.hasPrototype = hasPrototype
        self.obstacle = obstacle
    }

    /// The C notation, such as "int (int, ...)".
    package var description: String { CType(.function(self)).description }

    /// The parameter list, without its parentheses.
    var parameterList: String {
        guard hasPrototype else { return "" }
        let list = parameters.map { $0.type.declaration(of: $0.name ?? "") } + (isVariadic ? ["..."] : [])
        return list.isEmpty ? "void" : list.joined(separator: ", ")
    }
}

/// A parameter of a function.
package struct CParameter: Sendable, Hashable {
    /// The name; nil if the declaration has none.
    package let name: String?
    /// The type. Arrays and functions are adjusted to pointers, as in C.
    package let type: CType
    /// The length in `int values[4]`, which C treats as a pointer; nil if the declaration has no length.
    package let arrayLength: Int?
    /// Whether an attribute, `_Nonnull` or `[static n]` forbids null pointers.
    package var isNonnull: Bool

    package init(name: String?, type: CType, arrayLength: Int? = nil, isNonnull: Bool = false) {
        self.name = name
        self.type = type
        self.arrayLength = arrayLength
        self.isNonnull = isNonnull
    }

    /// Compares the types, ignoring names and the qualifiers of the parameters themselves.
    package static func == (left: CParameter, right: CParameter) -> Bool {
        left.type.unqualified == right.type.unqualified
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(type.unqualified) }
}
