import ComponentHost
import ComponentKit
import Testing

/// The forms of a call by target and action.
enum TargetForm: String, CaseIterable, CustomTestStringConvertible {
    case parts, answer, async, blocking, partsInTime, answerInTime, asyncInTime, blockingInTime

    var testDescription: String { rawValue }

    private var timeout: Duration? { rawValue.hasSuffix("InTime") ? .seconds(300) : nil }

    /// Performs an action, and waits for the answer without blocking Swift's cooperative thread pool.
    func perform(_ host: LinkHost, _ target: String, _ action: String, _ payload: Payload = .null) async
        -> PartsOfAnswer
    {
        let timeout = timeout
        switch self {
        case .parts, .partsInTime:
            return await awaitResume { resume in
                host.perform(target: target, action: action, payload, timeout: timeout) {
                    resume(PartsOfAnswer(value: $0, performSuccess: $1, classIsLoad: $2, error: nil))
                }
            }
        case .answer, .answerInTime:
            return await awaitResume { resume in
                host.perform(target: target, action: action, payload, timeout: timeout) { (answer: Answer) in
                    resume(PartsOfAnswer(answer))
                }
            }
        case .async, .asyncInTime:
            return PartsOfAnswer(
                await ComponentHostTests.answer {
                    try await host.perform(target: target, action: action, payload, timeout: timeout)
                })
        case .blocking, .blockingInTime:
            return PartsOfAnswer(
                await ComponentHostTests.answer {
                    try await onThread {
                        try host.performAndWait(target: target, action: action, payload, timeout: timeout)
                    }
                })
        }
    }
}

/// The three parts of an answer, and the error if the form of the call reports it.
struct PartsOfAnswer: Sendable {
    let value: Payload?
    let performSuccess: Bool
    let classIsLoad: Bool
    let error: LinkError?

    init(value: Payload?, performSuccess: Bool, classIsLoad: Bool, error: LinkError?) {
        self.value = value
        self.performSuccess = performSuccess
        self.classIsLoad = classIsLoad
        self.error = error
    }

    init(_ answer: Answer) {
        self.init(
            value: answer.returnValue, performSuccess: answer.performSuccess, classIsLoad: answer.classIsLoad,
            error: answer.error)
    }
}

/// A class of the host with these methods. Each one returns the names of its class and selector; those of class methods
/// begin with a plus.
func providing(_ name: String, object: [String] = [], class classMethods: [String] = []) -> ProvidedClass {
    ProvidedClass(
        name: name,
        methods: object.map { selector in .method(selector) { _, _ in "\(name).\(selector)" } }
            + classMethods.map { selector in .classMethod(selector) { _ in "+\(name).\(selector)" } },
        make: { Bare($0) })
}

/// A class whose methods are known only at run time.
final class Bare: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<Bare>] = []
}

/// A host with these classes only.
func hostProviding(_ classes: [ProvidedClass], options: HostOptions = .quiet) -> LinkHost {
    LinkHost(components: [], includesBuiltIn: false, provides: classes, options: options)
}
