/// A text with declarations.
package struct CSource: Sendable {
    /// For messages, as in "declarations[2]".
    package let name: String
    /// UTF-8; what is no UTF-8 is an error where it stands, not before.
    package let bytes: [UInt8]

    package init(name: String, text: String) {
        self.name = name
        bytes = Array(text.utf8)
    }

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
