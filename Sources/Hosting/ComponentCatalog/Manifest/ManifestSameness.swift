import ComponentKit

// `==` takes two spellings of a character as equal. Callers and the host tell names apart by their bytes, and so does
// `Payload`.

extension Manifest {
    /// Returns whether both declare the same, byte for byte.
    func isExactly(_ other: Manifest) -> Bool { self == other && json == other.json }
}

extension ClassDeclaration {
    /// Returns whether both declare the same, byte for byte.
    func isExactly(_ other: ClassDeclaration) -> Bool { self == other && json == other.json }
}

extension ServiceDeclaration {
    /// Returns whether both declare the same, byte for byte.
    func isExactly(_ other: ServiceDeclaration) -> Bool { self == other && json == other.json }
}

extension ModelDeclaration {
    /// Returns whether both declare the same, byte for byte.
    func isExactly(_ other: ModelDeclaration) -> Bool { self == other && json == other.json }
}
