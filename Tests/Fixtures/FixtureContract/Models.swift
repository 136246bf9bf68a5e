// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// These declarations exist only to travel; their names say it all.

public import ComponentKit
public import Foundation

@Model public struct Rectangle: Hashable, Sendable {
    public var width: Double
    public var height: Double
    public var name: String = "rectangle"
}

@Model public indirect enum Shape: Hashable, Sendable {
    case circle(radius: Double)
    case rectangle(Rectangle, turned: Bool)
    case group([Shape])
    case empty
}

@Model public enum Level: Int, Hashable, Sendable {
    case low = 1
    case high = 10
}

/// An error of a call, known to both sides.
@Model public enum Refusal: Error, Hashable, Sendable {
    case tooBig(limit: Int, Rectangle)
    case notNow
}

/// Codable only.
public struct PlainInfo: Codable, Hashable, Sendable {
    public var title: String
    public var sizes: [Int]
    public var parent: [String: Double]?

    public init(title: String, sizes: [Int], parent: [String: Double]?) {
        self.title = title
        self.sizes = sizes
        self.parent = parent
    }
}

@Model public struct Everything: Hashable, Sendable {
    public var flag: Bool
    public var small: Int8
    public var big: UInt64
    public var ratio: Float
    public var text: String
    public var bytes: [UInt8]
    public var data: Data
    public var date: Date
    public var link: URL
    public var id: UUID
    public var maybe: String?
    public var none: Int?
    public var list: [[Int]]
    public var table: [String: [Rectangle]]
    public var shape: Shape
    public var level: Level

    /// A model with all kinds of values.
    public static var sample: Everything {
        get throws {
            guard let link = URL(string: "https://example.com/a?b=c") else { throw Refusal.notNow }
            return Everything(
                flag: true, small: -128, big: .max, ratio: 0.1, text: "naïve \u{1F600}\n", bytes: [0, 255],
                data: Data([1, 2, 3]), date: Date(timeIntervalSinceReferenceDate: 780_000_000.123_456),
                link: link,
                id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), maybe: "", none: nil,
                list: [[], [1, -2]], table: ["a": [Rectangle(width: 1, height: 2)], "": []],
                shape: .group([
                    .circle(radius: .infinity), .rectangle(Rectangle(width: 3, height: 4), turned: true), .empty,
                ]),
                level: .high)
        }
    }
}
