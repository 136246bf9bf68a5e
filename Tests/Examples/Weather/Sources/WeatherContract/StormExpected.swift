public import ComponentKit

/// A storm is coming.
@Model @Event("com.example.weather/stormExpected")
public struct StormExpected: Hashable, Sendable {
    /// The city that it will reach.
    public var city: String
    /// The speed of the wind, in metres per second.
    public var speed: Double
}
