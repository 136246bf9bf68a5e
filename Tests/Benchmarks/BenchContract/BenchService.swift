// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// These declarations exist only to be measured; their names say it all.

public import ComponentKit

/// The service for measuring typed calls.
@LinkService("org.hslink.bench/1")
public protocol BenchService: Sendable {
    /// Answers before it returns.
    func area(width: Double, height: Double) throws -> Area
    /// Asynchronous, and never suspends.
    func areaSoon(width: Double, height: Double) async throws -> Area
    /// Suspends once.
    func areaLater(width: Double, height: Double) async throws -> Area
}

/// A result of a typed call.
@Model public struct Area: Sendable {
    public var width: Double
    public var height: Double
    public var square: Double

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
        square = width * height
    }
}
