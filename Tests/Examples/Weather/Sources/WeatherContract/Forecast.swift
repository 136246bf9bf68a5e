public import ComponentKit

/// The weather of one day.
@Model public struct Forecast: Hashable, Sendable {
    /// In degrees Celsius.
    public var high: Double
    /// The state of the sky.
    public var sky: Sky
    /// The wind of the day.
    public var wind: Wind
    /// A human-readable summary, if any.
    public var summary: String?
    /// In percent. A payload without this key means 50.
    public var humidity: Int = 50
}

/// An enum with raw values travels as the raw value.
@Model public enum Sky: String, Hashable, Sendable {
    case clear, cloudy, rain, snow
}

/// Other cases travel as their name, or as a map from it to the associated values.
@Model public enum Wind: Hashable, Sendable {
    case calm
    case blowing(speed: Double, from: String)
}

/// An error that is a model arrives as itself.
@Model public enum WeatherError: Error, Hashable, Sendable {
    case unknownCity(name: String)
    case tooFarAhead(limit: Int)
}
