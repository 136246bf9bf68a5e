// The named declarations of a text, except tags and constants.

/// A declared function.
package struct CFunction: Sendable, Hashable, CustomStringConvertible {
    package let name: String
    /// The linker symbol: the name, unless `__asm__("…")` specifies another one.
    package let symbol: String
    package let type: CFunctionType
    package let place: CPlace
    /// The reason why the function can't be called, such as a parameter whose type can't be passed by value, an unknown
    /// parameter list, or `inline` without a symbol; nil if it can be called.
    package let obstacle: CObstacle?

    /// The C declaration, without attributes.
    package var description: String { CType(.function(type)).declaration(of: name) }

    func with(_ obstacle: CObstacle?) -> CFunction {
        CFunction(name: name, symbol: symbol, type: type, place: place, obstacle: obstacle)
    }
}

/// A declared variable.
package struct CVariable: Sendable, Hashable {
    package let name: String
    /// The linker symbol.
    package let symbol: String
    package let type: CType
    package let place: CPlace
}

/// A typedef: a name for a type.
package struct CTypedef: Sendable, Hashable {
    package let name: String
    /// The type that the name refers to.
    package let type: CType
    package let place: CPlace
}
