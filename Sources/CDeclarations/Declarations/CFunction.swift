/// A function that was declared.
package struct CFunction: Sendable, Hashable {
    package let name: String
    /// What the linker knows it by: the name, unless `__asm__("…")` says another.
    package let symbol: String
    package let type: CFunctionType
    package let place: CPlace
    /// Why it can't be called, if so: a parameter of a type that is not passed by value, no parameters known,
    /// `inline` without a symbol.
    package let obstacle: CObstacle?
}
