import ComponentKit
import Foundation

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
