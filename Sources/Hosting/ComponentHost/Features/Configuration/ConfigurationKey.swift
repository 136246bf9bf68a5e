import SystemSupport

/// A key of a configuration, apart from the component that reads it. Names of components and keys may both contain
/// dots, so `Bank.vault.password` alone could be the `vault.password` of `Bank` or the `password` of `Bank.vault`.
package struct ConfigurationKey: Hashable, Comparable, Sendable {
    /// The name of the component, or of whatever else has the section.
    let section: ExactText
    /// The key in the section, with dots between its parts; nil for the section itself.
    let key: ExactText?

    /// - Parameter path: the section, and the parts of the key.
    init(_ path: some Collection<String>) {
        section = ExactText(path.first ?? "")
        key = path.count > 1 ? ExactText(path.dropFirst().joined(separator: ".")) : nil
    }

    /// Reads a key that is written as one text. The name of the component ends at the first dot; a dot in the name is
    /// written twice, as in `com..example..Video.timeout`.
    package init(text: String) {
        let dot = UInt8(ascii: ".")
        var name: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == dot {
                guard rest.first == dot else {
                    section = ExactText(String(decoding: name, as: UTF8.self))
                    key = ExactText(Substring(rest))
                    return
                }
                rest.removeFirst()
            }
            name.append(byte)
        }
        section = ExactText(String(decoding: name, as: UTF8.self))
        key = nil
    }

    /// Whether it names a component, and each part of the key has at least one character.
    package var isComplete: Bool {
        guard let key, !section.text.isEmpty else { return false }
        return key.text.exactParts(between: ".", omittingEmpty: false).allSatisfy { !$0.isEmpty }
    }

    /// The key as one text that stands for no other.
    var text: String {
        let name = section.text.exactParts(between: ".", omittingEmpty: false).joined(separator: "..")
        return key.map { "\(name).\($0)" } ?? name
    }

    package static func < (left: ConfigurationKey, right: ConfigurationKey) -> Bool {
        if left.section != right.section { return left.section < right.section }
        guard let key = right.key else { return false }
        return left.key.map { $0 < key } ?? true
    }
}

extension ConfigurationKey: CustomStringConvertible {
    /// The key as people name it.
    package var description: String { key.map { "\(section).\($0)" } ?? section.text }
}
