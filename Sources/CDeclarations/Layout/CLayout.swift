/// What a value takes in memory.
package struct CLayout: Sendable, Hashable {
    /// Bytes, a multiple of the alignment except for an array of over-aligned elements.
    package let size: Int
    /// Bytes, a power of two.
    package let alignment: Int

    package init(size: Int, alignment: Int) {
        self.size = size
        self.alignment = alignment
    }
}
