import SystemSupport

/// The reason why a call was not performed.
///
/// It names the class, the selector and, if known, the component. The message is a sentence that also says what to do,
/// if anything can be done.
///
///     do {
///         let info = try await host.call("VideoLink", "probe", ["path": "clip.mp4"])
///     } catch {
///         switch error.code {
///         case .classNotFound: …        // the component is missing: continue without it
///         case .deadlineExceeded: …
///         default: print(error)         // probe of VideoLink in ComponentVideo: no such file: clip.mp4
///         }
///     }
///
/// A method reports its own failures with a domain and number of its own:
/// `throw LinkError(domain: "com.example.video", number: 7, message: "no such track")`.
public struct LinkError: Error, Sendable {
    /// The kind of failure.
    public var code: Code
    /// The class of the call; empty when unknown.
    public var className: String
    /// The selector of the call; empty when unknown.
    public var selector: String
    /// Whether a method passed on the error of a call that it made itself, which means that the method's own class was
    /// loaded.
    var isPassedOn = false
    /// All other properties, stored behind a reference so that an error is small and cheap to throw.
    var more: More?

    final class More: Sendable {
        let component: String
        let message: String
        let domain: String
        let number: Int32
        let details: Payload?
        let cause: LinkError?

        init(
            component: String = "", message: String = "", domain: String = "", number: Int32 = 0,
            details: Payload? = nil, cause: LinkError? = nil
        ) {
            self.component = component
            self.message = message
            self.domain = domain
            self.number = number
            self.details = details
            self.cause = cause
        }
    }

    @usableFromInline
    package init(code: Code, className: String, selector: String) {
        self.init(code: code, className: className, selector: selector, more: nil)
    }

    init(code: Code, className: String, selector: String, more: More?) {
        self.code = code
        self.className = className
        self.selector = selector
        self.more = more
    }

    /// Creates an error with a code.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: a human-readable sentence; empty for the standard sentence of the code.
    ///   - className: the class of the call.
    ///   - selector: the selector of the call.
    ///   - component: the component that should have answered.
    ///   - details: additional machine-readable data.
    ///   - cause: the error that led to this one.
    public init(
        _ code: Code, message: String = "", className: String = "", selector: String = "",
        component: String = "", details: Payload? = nil, cause: LinkError? = nil
    ) {
        self.code = code
        self.className = className
        self.selector = selector
        if !message.isEmpty || !component.isEmpty || details != nil || cause != nil {
            more = More(component: component, message: message, details: details, cause: cause)
        }
    }

    /// Creates an error for a method's own failure.
    ///
    /// - Parameters:
    ///   - domain: the namespace of the number; not empty.
    ///   - number: the number of the failure, with the meaning that the domain defines.
    ///   - message: a human-readable sentence.
    ///   - details: additional machine-readable data.
    public init(domain: String, number: Int32, message: String, details: Payload? = nil) {
        code = .methodFailed
        className = ""
        selector = ""
        more = More(message: message, domain: domain, number: number, details: details)
    }

    /// The component that should have answered; empty if no component has the class.
    public var component: String { more?.component ?? "" }

    /// Returns this error with its missing names filled in from a call.
    package func naming(className: String, selector: String, component: String) -> LinkError {
        // It opens URLs for others: its errors are about the URL, or name the class that has the route.
        if className == Link.routesClass { return self }
        var error = answering(className)
        if error.className.isEmpty { error.className = className }
        // The method of this call is none of the class that a passed on error is about.
        if error.selector.isEmpty, !error.isPassedOn { error.selector = selector }
        // An error that a method passed on is about another class, which this component does not have. An error of a load
        // is about the component, whatever its start has called.
        let isOwn = className.isEmpty || !error.isPassedOn
        if error.component.isEmpty, !component.isEmpty, isOwn {
            error.more = More(
                component: component, message: more?.message ?? "", domain: domain, number: more?.number ?? 0,
                details: details, cause: cause)
        }
        return error
    }

    /// Returns this error as the answer of a call of a class: its names tell whether the method passed it on, because the
    /// mark does not cross the boundary.
    func answering(_ className: borrowing String) -> LinkError {
        // It opens URLs for others, as above.
        if className == Link.routesClass { return self }
        var error = self
        error.isPassedOn = !error.className.isEmpty && !error.className.isExactly(className)
        return error
    }

    /// The message, without the names of the class and selector.
    public var message: String {
        guard let message = more?.message, !message.isEmpty else { return code.sentence }
        return message
    }

    /// The namespace of ``number``; empty for HSLink's own errors.
    public var domain: String { more?.domain ?? "" }

    /// The number of a method's own failure; for HSLink's own errors, the boundary's number of the code.
    public var number: Int32 { domain.isEmpty ? code.rawValue : more?.number ?? 0 }

    /// Additional machine-readable data.
    public var details: Payload? { more?.details }

    /// The error that led to this one.
    public var cause: LinkError? { more?.cause }

    /// The third part of the answer, as ``Answer/classIsLoad`` documents it.
    public var classIsLoad: Bool { isPassedOn || code.meansClassIsLoaded }
}

extension LinkError {
    /// The name of a component, prepared once for all of its errors: an error with no other details needs no
    /// allocation.
    package struct ComponentMark: Sendable {
        fileprivate let more: More

        package init(_ component: String) { more = More(component: component) }
    }

    package init(_ code: Code, className: String, selector: String, in component: ComponentMark) {
        self.init(code: code, className: className, selector: selector, more: component.more)
    }
}

extension LinkError {
    /// Converts a thrown error, as it is done with the errors of methods for their callers.
    ///
    /// A link error stays unchanged. An error about a payload or from a decoder becomes ``Code/payloadMismatch``, a
    /// `CancellationError` becomes ``Code/cancelled``, and ``RouteDeclined`` becomes ``Code/routeDeclined``. A
    /// ``ResourceError`` keeps its code and message. A model keeps its value; any other error is reduced to its type and
    /// message. The message is the description of the error, for a `LocalizedError` also its reason and its suggestion.
    /// An error without a description is told by its names: `unknown(id: 7)` becomes "unknown: id 7".
    public init(thrown error: any Error) {
        switch error {
        case let error as LinkError: self = error
        case let error as PayloadError: self.init(.payloadMismatch, message: error.description)
        case let error as DecodingError:
            self.init(.payloadMismatch, message: PayloadError(decoding: error).description)
        case let error as ResourceError: self = error.linkError
        case let error as any ModelError: self.init(model: error)
        case is CancellationError: self.init(.cancelled)
        case let error as RouteDeclined: self.init(.routeDeclined, message: error.reason)
        default:
            self.init(domain: String(reflecting: type(of: error)), number: 1, message: ErrorText.of(error))
        }
    }
}

extension LinkError: CustomStringConvertible {
    /// Selector, class and component with the message, as one sentence.
    public var description: String {
        var place = ""
        if !selector.isEmpty { place = selector }
        if !className.isEmpty { place += place.isEmpty ? className : " of \(className)" }
        if !component.isEmpty { place += place.isEmpty ? component : " in \(component)" }
        var text = place.isEmpty ? message : "\(place): \(message)"
        if !domain.isEmpty { text += " (\(origin))" }
        // The authors of methods write messages, some with that of the cause.
        if let cause, !message.contains(cause.message) { text += ": \(cause.message)" }
        return text
    }
}
