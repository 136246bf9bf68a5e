import Routing
import SwiftSyntax
import SwiftSyntaxBuilder

/// An empty function whose symbol contains the name of a link class. The compiler rejects a second class with that name
/// in the same module, or the linker does if the compiler sees only one file at a time; both print the symbol. A macro
/// can't see the other classes in its module.
struct UniqueSymbol {
    /// The symbol, such as `link class VideoLink in module Video`.
    let symbol: String

    init(ofClass name: String, in module: String) {
        symbol = "link class \(UniqueSymbol.encoded(name)) in module \(UniqueSymbol.encoded(module))"
    }

    /// The declaration, as a member of the class.
    func declaration(named name: TokenSyntax) -> DeclSyntax {
        "@_silgen_name(\(raw: symbol.swiftLiteral)) nonisolated static func \(name)() {}"
    }

    /// Percent-encodes everything but ASCII letters, digits, underscores and periods, because some characters have a
    /// meaning in assemblers: `@`, for example, precedes a symbol's version.
    private static func encoded(_ text: String) -> String {
        text.utf8.percentEncoded { byte in
            let character = Character(Unicode.Scalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || character == "_" || character == ".")
        }
    }
}
