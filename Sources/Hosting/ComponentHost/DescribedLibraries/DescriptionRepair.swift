import ComponentKit

/// A change of a description that replaces or leaves out what is wrong.
struct DescriptionRepair {
    let path: [PayloadError.PathElement]
    /// What is put there; nil if the value is left out.
    let value: Payload?

    /// Values for keys that a description must have.
    private static let standIns: [String: Payload] = [
        "name": "a", "version": "0.0.0", "library": ["libc.so.6"], "class": "A", "declarations": [],
    ]

    /// Leaves out a value.
    init(without path: [PayloadError.PathElement]) {
        self.path = path
        value = nil
    }

    /// The repair after an error; nil if there is none.
    init?(after error: PayloadError) {
        guard case .key(let key)? = error.path.first else { return nil }
        let standIn = DescriptionRepair.standIns[key]
        if key == "declarations", error.path.count > 1 {
            path = error.path
            value = ""
        } else if standIn != nil || error.path.count == 1 {
            path = [.key(key)]
            value = standIn
        } else {
            path = Array(error.path.prefix(2))
            value = nil
        }
    }
}

extension Payload {
    /// Returns the payload with all repairs, which takes no longer than with one.
    func repaired(by repairs: [DescriptionRepair]) -> Payload {
        repairs.isEmpty ? self : repaired(repairs.map { ($0.path[...], $0.value) })
    }

    /// - Parameter repairs: The paths, which are not empty, and what is put there.
    private func repaired(_ repairs: [(path: ArraySlice<PayloadError.PathElement>, value: Payload?)]) -> Payload {
        let parts = Dictionary(grouping: repairs) { $0.path[$0.path.startIndex] }
        if let entries = try? entries() {
            var changed: [(String, Payload)] = []
            for (name, old) in entries {
                guard let own = parts[.key(name)] else {
                    changed.append((name, old))
                    continue
                }
                guard !own.contains(where: { $0.path.count == 1 }) else { continue }
                changed.append((name, old.repaired(own.map { ($0.path.dropFirst(), $0.value) })))
            }
            for (path, value) in repairs where path.count == 1 {
                if case .key(let key)? = path.first, let value { changed.append((key, value)) }
            }
            return .map(changed)
        }
        guard let items = try? items() else { return self }
        return .array(
            items.enumerated().compactMap { index, item in
                guard let own = parts[.index(index)] else { return item }
                if let whole = own.first(where: { $0.path.count == 1 }) { return whole.value }
                return item.repaired(own.map { ($0.path.dropFirst(), $0.value) })
            })
    }
}
