import ComponentKit
import Foundation
import Synchronization

/// Follows CTMediator's convention.
@LinkClass
final class Target_Shelf {
    static let rows: [LinkMethod<Target_Shelf>] = [
        .method("Action_open") { _, payload in try payload.copy() },
        .method("Action_close:") { _, payload in try payload.copy() },
        .classMethod("Action_size") { _ in 42 },
        .method("notFound:") { _, payload in try payload.copy() },
    ]
}

/// Returns values of every scalar type.
@LinkClass
final class ScalarLink {
    @Selector func nothing() {}
    @Selector func bool() -> Bool { true }
    @Selector func int8() -> Int8 { .min }
    @Selector func int16() -> Int16 { .min }
    @Selector func int32() -> Int32 { .min }
    @Selector func int64() -> Int64 { .min }
    @Selector func int() -> Int { .max }
    @Selector func uint8() -> UInt8 { .max }
    @Selector func uint16() -> UInt16 { .max }
    @Selector func uint32() -> UInt32 { .max }
    @Selector func uint64() -> UInt64 { .max }
    @Selector func float() -> Float { 1.5 }
    @Selector func double() -> Double { -0.1 }
    @Selector func string() -> String { "na\u{EF}ve" }
    @Selector func data() -> Data { Data([0, 255]) }
    @Selector func array() -> [Int] { [1, 2, 3] }
    @Selector func map() -> [String: Bool] { ["yes": true] }
}

/// Performs actions for the tests, and reports the parts of the answers.
@LinkClass
final class PerformerLink {
    private let context: ComponentContext

    init(_ context: ComponentContext) { self.context = context }

    static let rows: [LinkMethod<PerformerLink>] = [
        .deferredMethod("parts") { performer, payload, reply in
            let request = try payload.copy()
            try performer.context.link.perform(
                target: request.string("target"), action: request.string("action"), request["payload"] ?? .null
            ) { (answer: Answer) in reply.succeed(report(answer)) }
        },
        .asyncMethod("awaited") { performer, request in
            do {
                let value = try await performer.context.link.perform(
                    target: request.string("target"), action: request.string("action"), request["payload"] ?? .null,
                    timeout: .seconds(300))
                return report(Answer(.success(value)))
            } catch let error as LinkError {
                return report(Answer(.failure(error)))
            }
        },
        .method("waited") { performer, payload -> Payload in
            let request = try payload.copy()
            do {
                let value = try performer.context.link.performAndWait(
                    target: request.string("target"), action: request.string("action"), request["payload"] ?? .null)
                return report(Answer(.success(value)))
            } catch let error as LinkError {
                return report(Answer(.failure(error)))
            }
        },
        // Passes on the error of the call that it makes.
        .method("forward") { performer, payload -> Payload in
            let request = try payload.copy()
            return try performer.context.link.performAndWait(
                target: request.string("target"), action: request.string("action"))
        },
        .method("check") { performer, payload in
            try performer.context.link.check(
                target: payload.string("target"), action: payload.stringIfPresent("action"))
        },
    ]

    private static func report(_ answer: Answer) -> Payload {
        [
            "value": answer.returnValue ?? .null, "performSuccess": .bool(answer.performSuccess),
            "classIsLoad": .bool(answer.classIsLoad), "code": .int(Int64(answer.error?.code.rawValue ?? 0)),
        ]
    }
}

/// Counts its instances.
@LinkClass
final class CountedLink {
    private let tally: InstanceTally
    private let number: Int

    init(_ context: ComponentContext) throws {
        guard let component = context.component as? FixtureComponent else { throw FixtureError(text: "no component") }
        tally = component.tally
        number = tally.made.add(1, ordering: .relaxed).newValue
    }

    deinit { tally.released.withLock { _ = $0.insert(number) } }

    static let rows: [LinkMethod<CountedLink>] = [
        .method("number") { counted, _, call in counted.number(in: tally(of: call.context)) },
        .method("quickNumber", quick: true) { counted, _, call in counted.number(in: tally(of: call.context)) },
        .method("numberAfter") { counted, payload, call in
            _ = try payload.copy().object("closure").callAndWait()
            return counted.number(in: tally(of: call.context))
        },
        .asyncMethod("numberLater") { counted, payload, call in
            _ = try await payload.object("closure").call()
            return counted.number(in: tally(of: call.context))
        },
        .classMethod("made") { _, call in tally(of: call.context)?.made.load(ordering: .relaxed) },
        .classMethod("released") { _, call in tally(of: call.context)?.released.withLock { $0.count } },
    ]

    /// Returns the number of the instance; a negative one if it has been released. Asks a tally that does not belong to
    /// the instance.
    private func number(in tally: InstanceTally?) -> Int {
        tally?.released.withLock { $0.contains(number) } == false ? number : -number
    }

    private static func tally(of context: ComponentContext?) -> InstanceTally? {
        (context?.component as? FixtureComponent)?.tally
    }
}

/// Counts the instances of ``CountedLink`` in one host.
final class InstanceTally: Sendable {
    let made = Atomic<Int>(0)
    /// The numbers of the released instances.
    let released = Lock<Set<Int>>([])
}
