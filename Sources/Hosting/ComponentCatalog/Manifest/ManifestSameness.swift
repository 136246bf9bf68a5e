import ComponentKit

/// A declaration with a form in JSON.
///
/// `==` takes two spellings of a character as equal. Callers and the host tell names apart by their bytes, and so does
/// `Payload`.
protocol WrittenDeclaration: Equatable {
    var json: Payload { get }
}

extension WrittenDeclaration {
    /// Returns whether both declare the same, byte for byte.
    func isExactly(_ other: Self) -> Bool { self == other && json == other.json }
}

extension Manifest: WrittenDeclaration {}
extension ClassDeclaration: WrittenDeclaration {}
extension ServiceDeclaration: WrittenDeclaration {}
extension ModelDeclaration: WrittenDeclaration {}
