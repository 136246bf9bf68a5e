// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// These declarations exist only to travel; their names say it all.

public import ComponentKit

/// Everything that travels in typed calls.
@LinkService("org.hslink.fixture/1")
public protocol TypedService: Sendable {
    /// Answers before it returns.
    func area(width: Double, height: Double) throws -> Rectangle
    /// Asynchronous.
    func greet(_ name: String?, times: Int) async throws -> [String]
    /// Returns its arguments unchanged.
    func echo(_ all: Everything) throws -> Everything
    func echo2(shape: Shape, layer: Level, plain: PlainInfo) throws -> [Shape]
    func plain(_ info: PlainInfo) async throws -> PlainInfo
    /// Throws a model.
    func refuse(limit: Int) async throws
    /// Throws an error that callers do not know.
    func fail() throws -> Int
    /// Calls the closure with each number, and returns the sum of its results.
    func each(of numbers: [Int], call: @escaping @Sendable (Int, String) async throws -> Int) async throws -> Int
    func maybe(call: (@Sendable () async throws -> Void)?) async throws -> Bool
    /// Numbers from 1 on, each produced on request; with `failing`, the stream fails after the last one.
    func count(to limit: Int, failing: Bool) throws -> AsyncThrowingStream<Int, any Error>
    /// The number of streams that are being read.
    func openCounts() throws -> Int
    /// A service by reference.
    func child(named name: String) async throws -> any ChildService
    /// Returns the name of a service that the caller passes.
    func name(of child: any ChildService) async throws -> String
    /// Sleeps until it is cancelled.
    func sleep() async throws
}

/// A service that travels by reference, or is made with arguments.
@LinkService("org.hslink.fixture.child/1", arguments: ChildOptions.self)
public protocol ChildService: Sendable {
    func name() async throws -> String
    /// The number of calls to this instance.
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

/// Tells whose session its code runs in.
@LinkService("org.hslink.fixture.whose/1")
public protocol WhoseService: Sendable {
    /// Calls a method of `WhoseLink`, and returns what it does.
    @Route("fixture-whose://ask/:selector")
    func ask(_ selector: String) async throws -> String
    /// The same in the blocking form.
    @Route("fixture-whose://ask-and-wait/:selector")
    func askAndWait(_ selector: String) throws -> String
    /// Asks anew for each element.
    func answers(of selector: String) async throws -> AsyncThrowingStream<String, any Error>
}
