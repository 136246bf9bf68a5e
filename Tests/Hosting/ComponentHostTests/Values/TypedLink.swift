import ComponentKit

/// Methods with typed values that travel by reference, written like the code of macros.
final class TypedLink: LinkClass {
    let log = Collected<String>()
    private let link: Link
    let made = Collected<Int>()

    init(_ context: ComponentContext) { link = context.link }

    static let methods: [LinkMethod<TypedLink>] = [
        .method("count") { target, payload, call in
            let sequence = CountingSequence(
                limit: try __LinkCoding.value("limit", in: payload, as: Int.self),
                error: try __LinkCoding.value("error", in: payload, as: String?.self), made: target.made,
                log: target.log)
            return try __LinkCoding.payload(of: sequence, for: call)
        },
        .method("endless") { target, _, call in
            let (stream, continuation) = AsyncStream.makeStream(of: Int?.self)
            continuation.onTermination = { [log = target.log] _ in log.add("terminated") }
            continuation.yield(nil)
            continuation.yield(1)
            target.kept.withLock { $0.append(continuation) }
            return try __LinkCoding.payload(of: stream, for: call)
        },
        .asyncMethod("sum") { _, payload in
            let numbers = try __LinkCoding.value("numbers", in: payload, as: AsyncThrowingStream<Int, any Error>.self)
            var sum = 0
            for try await number in numbers { sum += number }
            return sum
        },
        .asyncMethod("apply") { _, payload in
            let body: @Sendable (Int, String) async throws -> String = try __LinkCoding.closure("body", in: payload)
            return try await body(2, "x")
        },
        .asyncMethod("tell") { _, payload in
            let body: (@Sendable () async throws -> Void)? = try __LinkCoding.closure("body", in: payload)
            try await body?()
            return body != nil
        },
        .method("repeater") { target, _, call in
            try __LinkCoding.closure({ (text: String, count: Int) in String(repeating: text, count: count) }, for: call)
        },
        .method("sleeper") { target, _, call in
            let log = target.log
            return try __LinkCoding.closure(
                { () async throws -> Void in
                    log.add("asleep")
                    do { try await Task.sleep(for: .seconds(3600)) } catch { log.add("woken") }
                }, for: call)
        },
        .method("refuse") { _, payload -> Payload in
            throw RefusedError(reason: try payload.value("reason"), code: 7)
        },
        .method("me") { target, _, call in try __LinkCoding.payload(of: target, for: call) },
        .method("isMe") { target, payload in
            try __LinkCoding.value("instance", in: payload, as: TypedLink.self) === target
        },
        .classMethod("hasLink") { _, call in call.link != nil },
    ]

    private let kept = Lock<[AsyncStream<Int?>.Continuation]>([])
}

/// An error that crosses the boundary with its value.
struct RefusedError: ModelError, Equatable {
    static let modelName = "ComponentHostTests.RefusedError"

    var reason: String
    var code: Int

    init(reason: String, code: Int) {
        self.reason = reason
        self.code = code
    }

    var payload: Payload { Payload(__fields: ("reason", reason.payload), ("code", code.payload)) }

    init(payload: borrowing PayloadView) throws(PayloadError) {
        reason = try payload.value("reason")
        code = try payload.value("code")
    }
}

@section("hslink_records") @used private nonisolated let refusedErrorRecord:
    @convention(c) (UInt32) -> UnsafeRawPointer? = { _ in
        unsafe __LinkRecord.modelError(module: "ComponentHostTests", name: "RefusedError", type: RefusedError.self)
    }

/// Counts up, and reports its elements and its deallocation.
struct CountingSequence: AsyncSequence, Sendable {
    let limit: Int
    let error: String?
    let made: Collected<Int>
    let log: Collected<String>

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self, ending: Ending(log: log)) }

    struct Iterator: AsyncIteratorProtocol {
        let sequence: CountingSequence
        let ending: Ending
        var next = 0

        mutating func next() async throws -> Int? {
            await Task.yield()
            guard next < sequence.limit else {
                if let error = sequence.error { throw RefusedError(reason: error, code: next) }
                return nil
            }
            next += 1
            sequence.made.add(next)
            return next
        }
    }

    final class Ending: Sendable {
        let log: Collected<String>
        init(log: Collected<String>) { self.log = log }
        deinit { log.add("freed") }
    }
}
