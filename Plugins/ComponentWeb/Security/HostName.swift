import Glibc

/// The value of a Host header: a name or an address, and perhaps a port (RFC 9110, section 7.2).
struct HostName: Hashable, Sendable {
    /// The name in lower case, or the address; one of version 6 without brackets.
    let name: String
    /// The port; nil if there is none, or only the colon before it, which means the same (RFC 3986, section 6.2.3).
    let port: Int?
    /// Whether it is an address and not a name.
    let isAddress: Bool

    /// - Returns: nil if the text is neither a name nor an address.
    init?(_ text: String) {
        guard text.utf8.count <= 300 else { return nil }
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            name = text[text.index(after: text.startIndex)..<end].lowercased()
            isAddress = true
            guard HostName.isAddress(name, AF_INET6) else { return nil }
            rest = text[text.index(after: end)...]
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            name = text[..<end].lowercased()
            isAddress = HostName.isAddress(name, AF_INET)
            guard !name.isEmpty, name.utf8.allSatisfy(HostName.isNameByte) else { return nil }
            rest = text[end...]
        }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        let digits = rest.dropFirst()
        guard rest.first == ":" else { return nil }
        guard !digits.isEmpty else {
            port = nil
            return
        }
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ 48...57 ~= $0 }),
            let number = Int(digits), number <= 65535
        else { return nil }
        port = number
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isAddress(_ text: String, _ family: Int32) -> Bool {
        var address = in6_addr()
        return unsafe inet_pton(family, text, &address) == 1
    }
}

/// Addresses that only programs on the same machine reach.
enum Loopback {
    static func isLoopback(_ address: String) -> Bool {
        if address == "localhost" || address == "::1" { return true }
        var parsed = in_addr()
        return unsafe inet_pton(AF_INET, address, &parsed) == 1 && UInt32(bigEndian: parsed.s_addr) >> 24 == 127
    }
}
