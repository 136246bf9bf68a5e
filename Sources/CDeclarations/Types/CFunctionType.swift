/// What a function takes and returns.
package struct CFunctionType: Sendable, Hashable, CustomStringConvertible {
    package let result: CType
    /// In their order; arrays and functions have become pointers, as in C.
    package var parameters: [CParameter]
    /// Whether `...` stands at the end.
    package let isVariadic: Bool
    /// False for `f()`, which says nothing about the parameters.
    package let hasPrototype: Bool
    /// Why it can't be called, for what attributes say (another calling convention).
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

    /// As C writes it: "int (int, ...)".
    package var description: String { CType(.function(self)).description }

    /// What stands between the parentheses.
    var parameterList: String {
        guard hasPrototype else { return "" }
        let list = parameters.map { $0.type.declaration(of: $0.name ?? "") } + (isVariadic ? ["..."] : [])
        return list.isEmpty ? "void" : list.joined(separator: ", ")
    }
}

/// A parameter of a function.
package struct CParameter: Sendable, Hashable {
    /// Nil when the declaration has none.
    package let name: String?
    /// Arrays and functions have become pointers, as in C.
    package let type: CType
    /// The length in `int values[4]`, which is a pointer for C; nil when none was written.
    package let arrayLength: Int?
    /// Whether an attribute, `_Nonnull` or `[static n]` forbids a null pointer.
    package var isNonnull: Bool

    package init(name: String?, type: CType, arrayLength: Int? = nil, isNonnull: Bool = false) {
        self.name = name
        self.type = type
        self.arrayLength = arrayLength
        self.isNonnull = isNonnull
    }

    /// Names do not count when types are compared, nor do qualifiers of the parameter itself.
    package static func == (left: CParameter, right: CParameter) -> Bool {
        left.type.unqualified == right.type.unqualified
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(type.unqualified) }
}
