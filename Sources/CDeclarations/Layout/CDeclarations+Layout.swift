extension CDeclarations {
    /// Size and alignment of a value of a type.
    ///
    /// - Throws: why there is none: `void`, a function, an opaque struct, an array without a length, a struct with
    ///   bit-fields.
    package func layout(of type: CType) throws(CObstacle) -> CLayout {
        try LayoutRules.layout(of: type) { definition(of: $0) }
    }
}
