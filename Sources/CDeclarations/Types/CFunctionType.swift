/// What a function takes and returns.
package struct CFunctionType: Sendable, Hashable {
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
}
