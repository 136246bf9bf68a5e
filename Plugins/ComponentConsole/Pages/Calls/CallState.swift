import ComponentKit
import Glibc

/// What the part of a page that calls methods shows.
struct CallState: Sendable {
    let component: String
    /// The methods to choose from.
    let methods: [DeclaredSelector]
    /// How many more there are.
    let more: Int
    /// The form of the chosen method; nil if none is chosen.
    let form: CallForm?
    /// The last call of the session; nil if it has made none.
    let record: CallRecord?

    /// The most methods to choose from.
    private static let most = 500

    /// - Parameters:
    ///   - chosen: the label of the chosen method.
    ///   - record: the last call of the session.
    init(_ component: String, _ manifest: ManifestState, chosen: String?, record: CallRecord?) {
        // What is chosen comes back as it is, so it must be what a field can have.
        let callable = manifest.callable.filter { $0.label == $0.label.oneLine(600) }
        self.component = component
        methods = Array(callable.prefix(CallState.most))
        more = callable.count - methods.count
        form = callable.first { $0.label == chosen }.map { selector in
            CallForm(selector, manifest, written: record?.method == selector.label ? record?.written ?? .null : .null)
        }
        self.record = record
    }
}

/// A call that a person has made.
struct CallRecord: Hashable, Sendable {
    /// The method, as in "VideoLink.probe".
    var method: String
    /// What was filled in, by the names of fields: it stays in the form, to be called again or corrected.
    var written: Payload = .null
    /// When it was called.
    var time = Timestamp.current
    /// How it has ended; nil while it is in flight.
    var outcome: CallOutcome?
    /// How long it has taken, in seconds; nil while it is in flight.
    var duration: Double?

    func ended(_ outcome: CallOutcome, after duration: Duration) -> CallRecord {
        var copy = self
        copy.outcome = outcome
        let (seconds, attoseconds) = duration.components
        copy.duration = Double(seconds) + Double(attoseconds) / 1e18
        return copy
    }
}

extension Timestamp {
    /// The current time.
    static var current: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
    }
}

/// How a call has ended.
enum CallOutcome: Hashable, Sendable {
    /// With a value, as JSON.
    case answered(json: String)
    case failed(CallFailure)
}

/// Why a call has failed.
struct CallFailure: Hashable, Sendable {
    /// The kind of failure, such as "methodFailed".
    var code: String
    /// The message, with those of its causes.
    var message: String
    /// The namespace and number of a method's own failure; empty for others.
    var origin: String
    /// What to do.
    var advice: String?
    /// More about it, as JSON; nil if there is no more.
    var details: String?

    init(_ error: LinkError) {
        code = "\(error.code)"
        message = error.chain
        origin = error.domain.isEmpty ? "" : "\(error.domain) \(error.number)"
        advice = error.advice
        details = error.details.map { AnswerText($0, longest: 4000).json }
    }
}

extension LinkError {
    /// The message with those of the causes that it does not contain.
    var chain: String {
        var text = message
        var next = cause
        while let error = next {
            if !text.contains(error.message) { text += ": \(error.message)" }
            next = error.cause
        }
        return text.printable(2000)
    }

    /// What the person who has called can do; nil if the message says all there is to say.
    fileprivate var advice: String? {
        switch code {
        case .classNotFound: "The component's file may have been removed; see the list of components."
        case .selectorNotFound: "The file may have been replaced; reload the page."
        case .notLoaded: "The state of the component, above, says what would make it available."
        case .payloadMismatch: "Compare the values with the types of the parameters."
        case .deadlineExceeded: "The method may still be running; see its calls in flight."
        case .stuck: "Wait until calls in flight have ended. If they never do, restart the host."
        case .noReply, .replyDropped, .invalidReply: "The component must be corrected by its authors."
        case .stopped, .cancelled: "The host may be stopping."
        default: nil
        }
    }
}
