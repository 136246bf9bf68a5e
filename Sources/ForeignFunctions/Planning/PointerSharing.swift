import CDeclarations

/// Finds the pointers of structs and unions that share their place with something else: with members of a union.
struct PointerSharing {
    struct Found {
        /// All fields that share their place.
        var all: Set<String> = []
        /// The fields that are pointers, or hold some, and share their place.
        var pointers: Set<String> = []
        /// The first of them.
        var first: String?
    }

    private let declarations: CDeclarations
    private static let maximumDepth = 32

    init(_ declarations: CDeclarations) { self.declarations = declarations }

    /// The fields of a record, those of members without names too.
    func fields(of definition: RecordDefinition) -> Found {
        let places = definition.namedFields.map { field in
            let size = (try? declarations.layout(of: field.type).size) ?? 0
            return (field: field, range: field.offset..<(field.offset + size))
        }
        // In the order of their places, each can share its own only with those before it that reach into it, and with
        // those that begin inside.
        let order = places.indices.sorted { places[$0].range.lowerBound < places[$1].range.lowerBound }
        var isShared = Array(repeating: false, count: places.count)
        var farthest: (end: Int, index: Int)?
        for index in order where !places[index].range.isEmpty {
            if let last = farthest, last.end > places[index].range.lowerBound {
                isShared[index] = true
                isShared[last.index] = true
            }
            if farthest.map({ $0.end < places[index].range.upperBound }) ?? true {
                farthest = (places[index].range.upperBound, index)
            }
        }
        var found = Found()
        var budget = 4096
        for (index, place) in places.enumerated() where isShared[index] {
            guard let name = place.field.name else { continue }
            found.all.insert(name)
            guard holdsPointer(place.field.type, 0, &budget) else { continue }
            found.pointers.insert(name)
            if found.first == nil { found.first = name }
        }
        return found
    }

    /// Whether C may look through something in a value. Nobody looks through `void *` that knows nothing more.
    private func holdsPointer(_ type: CType, _ depth: Int, _ budget: inout Int) -> Bool {
        budget -= 1
        // What is larger than anyone looks into counts as one.
        guard depth < PointerSharing.maximumDepth, budget > 0 else { return true }
        switch type.kind {
        case .pointer(let pointee):
            if case .void = pointee.kind { return false }
            return true
        case .array(let element, _): return holdsPointer(element, depth + 1, &budget)
        case .record(let record):
            guard let definition = declarations.definition(of: record) else { return true }
            for field in definition.fields where holdsPointer(field.type, depth + 1, &budget) { return true }
            return false
        default: return false
        }
    }
}
