extension ManifestChecker {
    /// The name of `owner`: what hosts take as one, text that fits into a line of a table.
    mutating func checkedName(in owner: JSONObject, of keys: KnownKeys, example: String) -> String? {
        let name = requiredText("name", in: owner, of: keys, example: example)
        guard let name, let value = owner["name"] else { return nil }
        guard name.utf8.count <= 255, !name.unicodeScalars.contains(where: \.isControl) else {
            report(
                "\"name\" must have at most 255 bytes and no control characters, found \(name.quoted)", at: value.start)
            return nil
        }
        return name
    }
}

extension Unicode.Scalar {
    /// Control characters, and those that turn the direction of writing: a terminal may take them for an order.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F: true
        default: false
        }
    }
}
