// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// These declarations exist only to be measured; their names say it all.

public import ComponentKit

@Model @Event("org.hslink.bench/posted") public struct BenchEvent: Sendable {
    public var number: Int
}

@Model @Event("org.hslink.bench/ignored") public struct IgnoredEvent: Sendable {
    public var number: Int
}
