// What a text of declarations declares by name, but for types and constants.

/// A function that was declared.
package struct CFunction: Sendable, Hashable, CustomStringConvertible {
    package let name: String
    /// What the linker knows it by: the name, unless `__asm__("…")` says another.
    package let symbol: String
    package let type: CFunctionType
    package let place: CPlace
    /// Why it can't be called, if so: a parameter of a type that is not passed by value, no parameters known,
    /// `inline` without a symbol.
    package let obstacle: CObstacle?

    /// As C declares it, without attributes.
    package var description: String { CType(.function(type)).declaration(of: name) }

    func with(_ obstacle: CObstacle?) -> CFunction {
        CFunction(name: name, symbol: symbol, type: type, place: place, obstacle: obstacle)
    }
}

/// A variable that was declared.
package struct CVariable: Sendable, Hashable {
    package let name: String
    /// What the linker knows it by.
    package let symbol: String
    package let type: CType
    package let place: CPlace
}

/// A name that was given to a type.
package struct CTypedef: Sendable, Hashable {
    package let name: String
    /// What it stands for.
    package let type: CType
    package let place: CPlace
}
