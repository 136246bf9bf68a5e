import CHSLink

extension Payload {
    /// The value of `key`; nil if this is not a map or has no such key. Shares memory with this payload.
    @inlinable
    public subscript(key: String) -> Payload? {
        guard let node = unsafe node.find(key) else { return nil }
        return unsafe Payload(node: node, owner: owner)
    }

    /// The item at `index`; nil if this is not an array or the index is out of range.
    public subscript(index: Int) -> Payload? {
        guard kind == .array, unsafe node.itemNodes.indices.contains(index) else { return nil }
        return unsafe Payload(node: node.itemNodes[index], owner: owner)
    }

    /// Returns the value at a nested path, as in `value("tracks", 0, "codec")`.
    ///
    /// - Throws: ``PayloadError`` with the path up to the first step that does not exist.
    public func value(_ path: PayloadError.PathElement...) throws(PayloadError) -> Payload {
        var value = self
        for (depth, element) in path.enumerated() {
            let next: Payload?
            switch element {
            case .key(let key): next = value[key]
            case .index(let index): next = value[index]
            }
            guard let next else {
                let isContainer = value.kind == .map || value.kind == .array
                throw PayloadError(
                    path: Array(path[...depth]), expected: "a value",
                    found: isContainer ? "nothing" : unsafe "\(value.node.kindSummary) instead of a container")
            }
            value = next
        }
        return value
    }

    /// Returns the items of an array, in order; each shares memory with this payload.
    ///
    /// - Throws: ``PayloadError`` if the value is not an array.
    public func items() throws(PayloadError) -> [Payload] {
        guard kind == .array else { throw unsafe PayloadError(expected: "array", found: node.kindSummary) }
        return unsafe node.itemNodes.map { unsafe Payload(node: $0, owner: owner) }
    }

    /// Returns the keys and values of a map, in order; each value shares memory with this payload.
    ///
    /// - Throws: ``PayloadError`` if the value is not a map.
    public func entries() throws(PayloadError) -> [(key: String, value: Payload)] {
        guard kind == .map else { throw unsafe PayloadError(expected: "map", found: node.kindSummary) }
        return unsafe node.entryNodes.map { entry in
            unsafe (key: entry.keyText, value: Payload(node: entry.value, owner: owner))
        }
    }

    /// Returns the object of an object value.
    ///
    /// - Throws: ``PayloadError`` if the value is not an object.
    public func object() throws(PayloadError) -> LinkObject {
        guard kind == .object, let object = unsafe owner as? LinkObject ?? node.retainedObject else {
            throw unsafe PayloadError(expected: "object", found: node.kindSummary)
        }
        return object
    }

    /// Returns the object of `key`.
    ///
    /// - Throws: ``PayloadError`` if the key is missing or its value is not an object.
    public func object(_ key: String) throws(PayloadError) -> LinkObject {
        do {
            return try value(.key(key)).object()
        } catch {
            throw error.path.isEmpty ? error.within(.key(key)) : error
        }
    }
}

extension hslink_entry {
    /// The key as a string; bytes that are not UTF-8 are replaced, which cannot happen in an owned payload.
    package var keyText: String {
        unsafe String(decoding: keyBytes, as: UTF8.self)
    }
}

extension hslink_value {
    /// A new reference to the object of an object node; nil for other nodes.
    fileprivate var retainedObject: LinkObject? {
        guard unsafe Int(tag) == HSLINK_OBJECT, let object = unsafe `as`.object else { return nil }
        return unsafe LinkObject(retaining: object)
    }
}
