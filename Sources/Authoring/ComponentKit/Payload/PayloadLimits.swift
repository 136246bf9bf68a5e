/// The limits that a reader enforces on a payload from outside. Nodes are counted each time they are visited, because a
/// payload made only of valid pointers can still contain cycles or shared parts.
public struct PayloadLimits: Sendable, Hashable {
    /// The maximum nesting depth of arrays and maps. Reading an encoded form supports any depth; copying and comparing
    /// recurse, and may overflow the stack beyond a few thousand levels.
    public var depth: Int
    /// The maximum number of values; a shared value counts each time it is visited.
    public var nodes: Int
    /// The maximum size in bytes of the copy or of the encoded form.
    public var bytes: Int

    /// Creates custom limits, without validating them.
    public init(depth: Int, nodes: Int, bytes: Int) {
        self.depth = depth
        self.nodes = nodes
        self.bytes = bytes
    }

    /// 64 levels, 1,000,000 nodes, 256 MB.
    public static let standard = PayloadLimits(depth: 64, nodes: 1_000_000, bytes: 256 << 20)

    /// Throws if an encoded form of `count` bytes is too long. Lengths in a payload have 32 bits, which limits `count`
    /// even if `bytes` is larger.
    func checkSize(_ count: Int) throws(PayloadError) {
        let most = min(bytes, Int(UInt32.max))
        guard count <= most else { throw PayloadError(expected: "at most \(most) bytes", found: "\(count)") }
    }
}
