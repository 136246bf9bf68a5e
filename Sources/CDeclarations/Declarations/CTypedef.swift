/// A name that was given to a type.
package struct CTypedef: Sendable, Hashable {
    package let name: String
    /// What it stands for.
    package let type: CType
    package let place: CPlace
}
