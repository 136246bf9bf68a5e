/// Why something that was understood can't be used: a function not called, a value not passed.
package struct CObstacle: Error, Sendable, Hashable, CustomStringConvertible {
    /// A clause for people: "struct flags has the bit-field 'a'".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}
