package import CHSLink

extension Payload {
    /// A copy of what a call carries along: a map of texts, within the limits of the boundary.
    ///
    /// - Throws: what is wrong with it; the error names the key.
    package init(carried node: hslink_value) throws(PayloadError) {
        guard unsafe node.kind == .map else {
            throw PayloadError(expected: "a map of texts to carry along", found: unsafe node.summary)
        }
        let count = unsafe Int(node.length)
        guard count <= HSLINK_CARRIED_ENTRIES else {
            throw PayloadError(expected: "at most \(HSLINK_CARRIED_ENTRIES) texts to carry along", found: "\(count)")
        }
        guard unsafe count == 0 || node.`as`.entries != nil else {
            throw PayloadError(expected: "\(count) items", found: "a null pointer")
        }
        var byteCount = 0
        for index in 0..<count {
            let entry = unsafe node.entryNodes[index]
            guard unsafe entry.value.kind == .string else {
                throw PayloadError(expected: "texts to carry along", found: unsafe entry.value.kind.description)
            }
            byteCount += unsafe Int(entry.key_length) + Int(entry.value.length)
        }
        guard byteCount <= HSLINK_CARRIED_BYTES else {
            throw PayloadError(
                expected: "at most \(HSLINK_CARRIED_BYTES) bytes to carry along", found: "\(byteCount)")
        }
        try unsafe self.init(copying: node, limits: .standard)
    }
}
