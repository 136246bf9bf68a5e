/// A variable that was declared.
package struct CVariable: Sendable, Hashable {
    package let name: String
    /// What the linker knows it by.
    package let symbol: String
    package let type: CType
    package let place: CPlace
}
