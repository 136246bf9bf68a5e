import CHSLink
import ComponentKit
import HostControl
import SystemSupport

/// What went wrong with a call, in a form that can be printed.
struct CallError {
    let code: String
    let message: String
    let className: String
    let selector: String
    let component: String
    /// Empty, unless the method has failed in a way of its own.
    let domain: String
    let number: Int32
    let details: Payload?
    private let causes: [CallError]

    init(_ error: LinkError) {
        code = "\(error.code)"
        message = error.message
        className = error.className
        selector = error.selector
        component = error.component
        domain = error.domain
        number = error.number
        details = error.details
        causes = error.cause.map { [CallError($0)] } ?? []
    }

    /// The host could not be asked.
    init(notAsked error: ControlError) {
        code = "\(error.code)"
        message = error.message
        className = ""
        selector = ""
        component = ""
        domain = ""
        number = 0
        details = nil
        causes = []
    }

    /// Whether another host works on the data.
    var isAboutUsedData: Bool {
        domain == "hslink.data" && number == Int32(HSLINK_DATA_IN_USE) || causes.contains(where: \.isAboutUsedData)
    }

    /// The call was performed, but JSON cannot hold what came back.
    init(notPrintable error: PayloadError, of call: CallDescription, component: String) {
        self.init("performed, but what came back cannot be printed as JSON: \(error)", call, component)
    }

    /// The call was performed, but what came back cannot leave the host's process.
    init(notSendable error: PayloadError, of call: CallDescription, component: String) {
        self.init("performed, but what came back cannot leave the host's process: \(error)", call, component)
    }

    private init(_ message: String, _ call: CallDescription, _ component: String) {
        code = "notPrintable"
        self.message = message
        className = call.className
        selector = call.selector
        self.component = component
        domain = ""
        number = 0
        details = nil
        causes = []
    }

    /// A sentence with the names of the call in front of it and the causes after it, on one line.
    var text: String {
        var place = [selector, className].filter { !$0.isEmpty }.joined(separator: " of ")
        if !component.isEmpty { place += place.isEmpty ? component : " in \(component)" }
        var text = place.isEmpty ? message : "\(place): \(message)"
        if !domain.isEmpty { text += " (\(domain) \(number))" }
        var cause = causes.first
        // Messages may already repeat those of their causes.
        while let inner = cause {
            if !text.contains(inner.message) { text += ": \(inner.message)" }
            cause = inner.causes.first
        }
        return text.escaped
    }

    /// As the help of `hslink call` describes it.
    var json: JSONObject {
        var object = JSONObject()
        object.set("code", text: code)
        object.set("message", text: message)
        object.set("class", name: className)
        object.set("selector", name: selector)
        object.set("component", name: component)
        if !domain.isEmpty {
            object.set("domain", text: domain)
            object.set("number", json: "\(number)")
        }
        if let details {
            // What JSON cannot hold is described.
            if let json = try? details.json() {
                object.set("details", json: json)
            } else {
                object.set("details", text: details.description)
            }
        }
        if let cause = causes.first { object.set("cause", cause.json) }
        return object
    }
}

extension JSONObject {
    /// Text can only be too long for JSON; then there is null in its place.
    fileprivate mutating func set(_ key: String, text: String) {
        set(key, json: (try? Payload(text).json()) ?? "null")
    }

    /// A name, or null where none is known.
    fileprivate mutating func set(_ key: String, name: String) {
        if name.isEmpty { set(key, json: "null") } else { set(key, text: name) }
    }
}
