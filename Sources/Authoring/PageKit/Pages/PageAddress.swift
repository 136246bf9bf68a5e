public import ComponentKit
import Routing

/// A page and the values that it is shown with, as one string: the id of the page.
///
/// ```swift
/// PageAddress(name: "address", values: ["id": 3]).id  // address?id=3
/// ```
///
/// It reads like the end of a URL, and its values are read as those of a route are. A page with other values is another
/// page: it has an id, a revision and readers of its own.
public struct PageAddress: Hashable, Sendable {
    /// The name of the page, as in its file.
    public let name: String
    /// The values, sorted by name and percent-encoded, as in `id=3`; empty if there are none.
    public let query: String

    /// The most bytes that an id may have.
    public static let longest = 1024

    /// The id of the page: its name, and its values after a question mark. Two addresses with the same values have the same
    /// id, however they were written.
    public var id: String { query.isEmpty ? name : "\(name)?\(query)" }

    /// Creates the address of a page.
    ///
    /// - Parameters:
    ///   - name: the name of the page.
    ///   - values: the values by their names: texts, numbers, truth values, times, and arrays of these. Null is left out.
    ///     Anything else is written as JSON, which a page takes only where it expects a text.
    public init(name: String, values: [String: Payload] = [:]) {
        self.init(name, values.flatMap { name, value in value.addressTexts.map { (name, $0) } })
    }

    /// Reads an id.
    ///
    /// - Returns: nil if it has no name, or more than ``longest`` bytes.
    public init?(_ id: String) {
        // What is written without percent-encoding is shorter.
        guard id.utf8.count <= PageAddress.longest else { return nil }
        let bytes = Array(id.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let url = "/" + String(decoding: bytes[end...], as: UTF8.self)
        guard end > 0, let items = try? QueryItem.items(of: url, RoutingOptions()) else { return nil }
        self.init(String(decoding: bytes[..<end], as: UTF8.self), items.map { ($0.name, $0.value ?? "") })
        guard self.id.utf8.count <= PageAddress.longest else { return nil }
    }

    /// - Parameter values: those of the same name in their order.
    private init(_ name: String, _ values: [(name: String, text: String)]) {
        let encoded = values.map { (name: $0.name.percentEncodedForURL, text: $0.text.percentEncodedForURL) }
        let sorted = encoded.enumerated().sorted { left, right in
            let (one, other) = (left.element.name.utf8, right.element.name.utf8)
            return one.elementsEqual(other) ? left.offset < right.offset : one.lexicographicallyPrecedes(other)
        }
        self.name = name
        query = sorted.map { "\($0.element.name)=\($0.element.text)" }.joined(separator: "&")
    }
}

extension Payload {
    /// The texts of a value in a URL.
    fileprivate var addressTexts: [String] {
        switch kind {
        case .null: []
        case .array: ((try? items()) ?? []).map(\.addressText)
        default: [addressText]
        }
    }

    private var addressText: String {
        switch kind {
        case .string: (try? string()) ?? ""
        case .date: (try? date().rfc3339) ?? ""
        default: (try? json()) ?? ""
        }
    }
}
