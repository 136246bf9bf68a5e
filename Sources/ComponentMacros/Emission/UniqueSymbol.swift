import SwiftSyntax
import SwiftSyntaxBuilder

/// A function that does nothing, under a symbol made of the name of a link class: a second class of that name in the
/// same module is refused by the compiler, or by the linker where the compiler sees one file at a time. Both print the
/// symbol. A macro cannot see the other classes of its module.
struct UniqueSymbol {
    /// As in `link class VideoLink in module Video`.
    let symbol: String

    init(ofClass name: String, in module: String) {
        symbol = "link class \(UniqueSymbol.encoded(name)) in module \(UniqueSymbol.encoded(module))"
    }

    /// The declaration, as a member of the class.
    func declaration(named name: TokenSyntax) -> DeclSyntax {
        "@_silgen_name(\(raw: symbol.swiftLiteral)) nonisolated static func \(name)() {}"
    }

    /// Percent-encodes everything but ASCII letters, digits, underscores and periods: assemblers give some characters a
    /// meaning, such as `@` for versions.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || character == "_" || character == "." {
                result.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }
}
