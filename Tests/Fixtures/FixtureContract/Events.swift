// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// These events exist only to be posted; their names say it all.

public import ComponentKit

@Model @Event("org.hslink.fixture/changed") public struct Changed: Hashable, Sendable {
    public var value: Int
}

@Model @Event("org.hslink.fixture/began") public struct Began: Sendable {
    public init() {}
}

@Model @Event("org.hslink.fixture/ended") public struct Ended: Sendable {
    public var number: Int
}

@Model @Event("org.hslink.fixture/flooded") public struct Flooded: Sendable {
    public var count: Int
}

@Model @Event("org.hslink.fixture/repeated") public struct Repeated: Sendable {
    public init() {}
}

@Model @Event("org.hslink.fixture/stalled") public struct Stalled: Sendable {
    public init() {}
}

@Model @Event("org.hslink.fixture/woken") public struct Woken: Sendable {
    public init() {}
}

@Model @Event("org.hslink.fixture/whoseAsked") public struct WhoseAsked: Sendable {
    public var selector: String
    public var step: Int
}
