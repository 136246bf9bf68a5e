/// What attributes say that matters for calls and layout.
struct Attributes {
    /// Parameters that must not be null.
    enum Nonnull {
        case all
        case places([Int])
    }

    /// The largest of `aligned` and `_Alignas`, in bytes.
    var alignment: Int?
    var isPacked = false
    /// Of `__asm__("name")`.
    var symbol: String?
    /// Another calling convention.
    var obstacle: CObstacle?
    /// What makes another type of it, of which no values are passed: `vector_size(16)`.
    var unsupported: UnsupportedType?
    var isTransparentUnion = false
    var nonnull: [Nonnull] = []

    mutating func merge(_ other: Attributes) {
        if let alignment = other.alignment { align(alignment) }
        isPacked = isPacked || other.isPacked
        symbol = other.symbol ?? symbol
        obstacle = obstacle ?? other.obstacle
        unsupported = unsupported ?? other.unsupported
        isTransparentUnion = isTransparentUnion || other.isTransparentUnion
        nonnull += other.nonnull
    }

    mutating func align(_ bytes: Int) { alignment = max(alignment ?? 0, bytes) }

    /// The parameters, with those marked that an attribute forbids null for.
    func marking(_ parameters: [CParameter]) -> [CParameter] {
        var marked = parameters
        for nonnull in nonnull {
            switch nonnull {
            case .all:
                for index in marked.indices where marked[index].type.pointee != nil { marked[index].isNonnull = true }
            case .places(let places):
                for place in places where marked.indices.contains(place - 1) { marked[place - 1].isNonnull = true }
            }
        }
        return marked
    }
}
