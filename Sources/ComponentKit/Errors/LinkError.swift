/// Why a call was not performed.
///
/// It names the class, the selector and, where known, the component; the message is a sentence and says
/// what to do where there is something to do.
///
///     do {
///         let info = try await host.call("VideoLink", "probe", ["path": "clip.mp4"])
///     } catch {
///         switch error.code {
///         case .classNotFound: …        // the component is not there: go on without it
///         case .deadlineExceeded: …
///         default: print(error)         // probe of VideoLink in ComponentVideo: no such file: clip.mp4
///         }
///     }
///
/// A method that fails in its own way throws one with its own domain and number:
/// `throw LinkError(domain: "com.example.video", number: 7, message: "no such track")`.
public struct LinkError: Error, Sendable {
    /// What kind of failure it is.
    public var code: Code
    /// The class of the call; empty when unknown.
    public var className: String
    /// The selector of the call; empty when unknown.
    public var selector: String
    /// Whether a method passed it on from a call of its own: then its own class was there.
    var isPassedOn = false
    /// Everything beyond these. Behind a reference, so that an error is small and cheap to throw.
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

    /// - Parameters:
    ///   - code: what kind of failure.
    ///   - message: a sentence for people; empty for the standard sentence of the code.
    ///   - className: the class of the call.
    ///   - selector: the selector of the call.
    ///   - component: the component that was to answer.
    ///   - cause: what led to it.
    ///   - details: anything more, for programs.
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

    /// A method's own failure.
    ///
    /// - Parameters:
    ///   - domain: the namespace of the number; not empty.
    ///   - number: what the domain says it means.
    ///   - message: a sentence for people.
    ///   - details: anything more, for programs.
    public init(domain: String, number: Int32, message: String, details: Payload? = nil) {
        code = .methodFailed
        className = ""
        selector = ""
        more = More(message: message, domain: domain, number: number, details: details)
    }

    /// The component that was to answer; empty when none has the class.
    public var component: String { more?.component ?? "" }

    /// The same error with the names of a call filled in where it had none.
    package func naming(className: String, selector: String, component: String) -> LinkError {
        var error = self
        error.isPassedOn = !error.className.isEmpty && error.className != className
        if error.className.isEmpty { error.className = className }
        if error.selector.isEmpty { error.selector = selector }
        if error.component.isEmpty, !component.isEmpty {
            error.more = More(
                component: component, message: more?.message ?? "", domain: domain, number: more?.number ?? 0,
                details: details, cause: cause)
        }
        return error
    }

    /// The sentence without the names of class and selector.
    public var message: String {
        guard let message = more?.message, !message.isEmpty else { return code.sentence }
        return message
    }

    /// The namespace of ``number``; empty for HSLink's own errors.
    public var domain: String { more?.domain ?? "" }

    /// The number of a method's own failure, or the boundary's number of the code.
    public var number: Int32 { domain.isEmpty ? code.rawValue : more?.number ?? 0 }

    /// Anything more, for programs.
    public var details: Payload? { more?.details }

    /// What led to this error.
    public var cause: LinkError? { more?.cause }

    /// Whether the class had been loaded: the callback's third part.
    public var classIsLoad: Bool { isPassedOn || code.meansClassIsLoaded }
}

extension LinkError {
    /// The component that errors name, made once: an error that says nothing more is made without an allocation.
    package struct ComponentMark: Sendable {
        fileprivate let more: More

        package init(_ component: String) { more = More(component: component) }
    }

    package init(_ code: Code, className: String, selector: String, in component: ComponentMark) {
        self.init(code: code, className: className, selector: selector, more: component.more)
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
        if !domain.isEmpty { text += " (\(domain) \(number))" }
        if let cause, !message.contains(cause.message) { text += ": \(cause.message)" }
        return text
    }
}
