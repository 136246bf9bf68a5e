// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// These declarations exist only to be measured; their names say it all.

public import ComponentKit

/// Ten properties, as a model.
@Model public struct Person: Equatable, Sendable {
    public var id: Int
    public var name: String
    public var email: String
    public var age: Int
    public var score: Double
    public var isActive: Bool
    public var nick: String?
    public var tags: [String]
    public var balance: Double
    public var visits: UInt32

    public static let sample = Person(
        id: 4711, name: "Ada Lovelace", email: "ada@example.com", age: 36, score: 0.75, isActive: true, nick: nil,
        tags: ["engine", "notes"], balance: 1234.5, visits: 17)
}

/// The same ten properties, as a type that is `Codable` only.
public struct PlainPerson: Codable, Equatable, Sendable {
    public var id: Int
    public var name: String
    public var email: String
    public var age: Int
    public var score: Double
    public var isActive: Bool
    public var nick: String?
    public var tags: [String]
    public var balance: Double
    public var visits: UInt32

    public static let sample = PlainPerson(
        id: 4711, name: "Ada Lovelace", email: "ada@example.com", age: 36, score: 0.75, isActive: true, nick: nil,
        tags: ["engine", "notes"], balance: 1234.5, visits: 17)
}
