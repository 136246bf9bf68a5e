public import ComponentKit

/// The tides of harbours.
@LinkService("com.example.tides/1")
public protocol TidesService: Sendable {
    /// Returns the hours of the day at which the tide is high.
    func highTides(harbour: String) async throws -> [Int]
}

/// The tides of harbours, with their heights. Its first revision has the hours only.
@LinkService("com.example.tides/2")
public protocol TidesService2: Sendable {
    /// Returns the high tides of the day.
    func highTides(harbour: String) async throws -> [HighTide]
}

/// A high tide.
@Model public struct HighTide: Hashable, Sendable {
    /// The time of day, in minutes after midnight.
    public var minute: Int
    /// In centimetres.
    public var height: Int
}
