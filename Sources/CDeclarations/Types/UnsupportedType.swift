/// A type that is understood, but that no value is passed by.
package struct UnsupportedType: Sendable, Hashable {
    /// As C names it.
    package let name: String
    /// Why.
    package let obstacle: CObstacle
    /// What it takes in a struct; nil when even that is not known.
    package let layout: CLayout?

    /// - Parameters:
    ///   - name: as C names it.
    ///   - reason: why it can't be passed.
    ///   - layout: what it takes in a struct.
    package init(_ name: String, reason: String, layout: CLayout? = nil) {
        self.name = name
        obstacle = CObstacle(reason)
        self.layout = layout
    }
}
