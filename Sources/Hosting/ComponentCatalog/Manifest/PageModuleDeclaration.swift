import ComponentKit
import ManifestRules

/// The declaration that a selector returns the view of a page module.
///
///     "pageModule": {"name": "owner.addresses"}
public struct PageModuleDeclaration: Hashable, Sendable {
    /// The name that pages use.
    public let name: String

    package init(name: String) { self.name = name }

    /// The declaration in one line, as in `page module owner.addresses`.
    package var line: String { "page module \(name)" }
}

extension PageModuleDeclaration {
    /// Reads the declaration of a page module; nil if the selector is not one.
    ///
    /// - Parameter json: The selector.
    /// - Throws: `PayloadError` if any part of it is invalid.
    init?(of json: Payload) throws(PayloadError) {
        guard let map = json["pageModule"], !map.isNull else { return nil }
        name = try PayloadError.within("pageModule") { () throws(PayloadError) in
            _ = try map.entries()
            try map.refuseKeys(besides: .pageModule)
            return try map.text("name", .pageModule)
        }
    }
}
