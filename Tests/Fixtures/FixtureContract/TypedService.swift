// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The names of what is only there to travel say it all.

public import ComponentKit

/// Everything that travels in typed calls.
@LinkService("org.hslink.fixture/1")
public protocol TypedService: Sendable {
    /// Answers before it returns.
    func area(width: Double, height: Double) throws -> Rectangle
    /// Asynchronous.
    func greet(_ name: String?, times: Int) async throws -> [String]
    /// Everything comes back as it went.
    func echo(_ all: Everything) throws -> Everything
    func echo2(shape: Shape, layer: Level, plain: PlainInfo) throws -> [Shape]
    func plain(_ info: PlainInfo) async throws -> PlainInfo
    /// Throws a model.
    func refuse(limit: Int) async throws
    /// Throws something that callers don't know.
    func fail() throws -> Int
    /// Calls the closure with each number, and answers the sum of what it returned.
    func each(of numbers: [Int], call: @escaping @Sendable (Int, String) async throws -> Int) async throws -> Int
    func maybe(call: (@Sendable () async throws -> Void)?) async throws -> Bool
    /// Numbers from 1 on, one for each that is asked for; fails behind the last one with `failing`.
    func count(to limit: Int, failing: Bool) throws -> AsyncThrowingStream<Int, any Error>
    /// How many streams are being read.
    func openCounts() throws -> Int
    /// A service by reference.
    func child(named name: String) async throws -> any ChildService
    /// Gives the name of a service that the caller passes.
    func name(of child: any ChildService) async throws -> String
    /// Sleeps until it is cancelled.
    func sleep() async throws
}

/// A service that travels by reference, or is made with arguments.
@LinkService("org.hslink.fixture.child/1", arguments: ChildOptions.self)
public protocol ChildService: Sendable {
    func name() async throws -> String
    /// How often this instance was asked.
    func visits() throws -> Int
}

/// What a child is made with.
@Model public struct ChildOptions: Sendable {
    public var name: String
    public var first: Int = 0

    public init(name: String, first: Int = 0) {
        self.name = name
        self.first = first
    }
}
