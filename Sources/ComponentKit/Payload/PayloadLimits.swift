/// How much a reader accepts of a payload from outside. Visited nodes are counted, since a graph that meets itself
/// consists of valid pointers too.
public struct PayloadLimits: Sendable, Hashable {
    /// Levels of arrays and maps inside each other. Reading an encoded form takes any number; copying and
    /// comparing recurse, and may use up the stack beyond some thousand.
    public var depth: Int
    /// Values, counted as often as they are met.
    public var nodes: Int
    /// Bytes of the copy or of the encoded form.
    public var bytes: Int

    /// Custom limits; they are not checked.
    public init(depth: Int, nodes: Int, bytes: Int) {
        self.depth = depth
        self.nodes = nodes
        self.bytes = bytes
    }

    /// 64 levels, 1,000,000 nodes, 256 MB.
    public static let standard = PayloadLimits(depth: 64, nodes: 1_000_000, bytes: 256 << 20)

    /// Whether an encoded form may be that long. Lengths in a payload have 32 bits, whatever `bytes` says.
    func checkSize(_ count: Int) throws(PayloadError) {
        let most = min(bytes, Int(UInt32.max))
        guard count <= most else { throw PayloadError(expected: "at most \(most) bytes", found: "\(count)") }
    }
}
