import ComponentKit
import FixtureContract

/// Provides methods for everything that travels in typed calls.
@LinkClass("TypedLink", provides: (any TypedService).self)
final class TypedLink: TypedService {
    private let context: ComponentContext
    private let counts = Lock(0)

    init(_ context: ComponentContext) { self.context = context }

    func area(width: Double, height: Double) throws -> Rectangle { Rectangle(width: width, height: height) }

    func greet(_ name: String?, times: Int) async throws -> [String] {
        Array(repeating: "Hello, \(name ?? "you")!", count: times)
    }

    func echo(_ all: Everything) throws -> Everything { all }

    func echo2(shape: Shape, layer: Level, plain: PlainInfo) throws -> [Shape] {
        [shape, layer == .low ? .empty : .circle(radius: Double(plain.sizes.count))]
    }

    func plain(_ info: PlainInfo) async throws -> PlainInfo { info }

    func refuse(limit: Int) async throws {
        throw limit == 0 ? Refusal.notNow : Refusal.tooBig(limit: limit, Rectangle(width: 1, height: 2))
    }

    func fail() throws -> Int { throw Unknown() }

    func each(of numbers: [Int], call: @escaping @Sendable (Int, String) async throws -> Int) async throws -> Int {
        var sum = 0
        for number in numbers { sum += try await call(number, "number \(number)") }
        return sum
    }

    func maybe(call: (@Sendable () async throws -> Void)?) async throws -> Bool {
        try await call?()
        return call != nil
    }

    func count(to limit: Int, failing: Bool) throws -> AsyncThrowingStream<Int, any Error> {
        counts.withLock { $0 += 1 }
        let end = CountEnd { [weak self] in self?.counts.withLock { $0 -= 1 } }
        let next = Lock(0)
        return AsyncThrowingStream {
            _ = end
            let number = next.withLock { next in
                next += 1
                return next
            }
            guard number > limit else { return number }
            if failing { throw Refusal.notNow }
            return nil
        }
    }

    func openCounts() throws -> Int { counts.withLock { $0 } }

    func child(named name: String) async throws -> any ChildService {
        try ChildLink(context, with: ChildOptions(name: name))
    }

    func name(of child: any ChildService) async throws -> String { try await child.name() }

    func sleep() async throws { try await Task.sleep(for: .seconds(3600)) }

    private struct Unknown: Error {}
}

/// Reports when the last reference to a stream is released.
private final class CountEnd: Sendable {
    private let atEnd: @Sendable () -> Void
    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
    deinit { atEnd() }
}

/// A child that travels by reference, or is made with arguments; one for each consumer.
@LinkClass(provides: (any ChildService).self, instances: .perConsumer)
final class ChildLink: ChildServiceMaking {
    private let options: ChildOptions
    private let count: Lock<Int>

    init(_ context: ComponentContext) throws {
        options = ChildOptions(name: "nobody")
        count = Lock(0)
    }

    init(_ context: ComponentContext, with arguments: ChildOptions) throws {
        guard arguments.first >= 0 else { throw Refusal.notNow }
        options = arguments
        count = Lock(arguments.first)
    }

    func name() async throws -> String { options.name }

    func visits() throws -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Uses services from within a component.
@LinkClass
final class TypedUser {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    @Selector func visits() throws -> Int { try link.service(ChildServiceClient.self).visits() }

    @Selector func area(width: Double) async throws -> Double {
        let typed = try link.service(TypedServiceClient.self)
        return try await typed.area(width: width, height: 2).width
    }
}
