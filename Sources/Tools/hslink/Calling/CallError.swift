import CHSLink
import ComponentKit
import HostControl
import SystemSupport

/// The failure of a call, in a printable form.
struct CallError {
    let code: String
    let message: String
    private(set) var className = ""
    private(set) var selector = ""
    private(set) var component = ""
    /// The namespace of `number`; empty unless the method failed with an error of its own.
    private(set) var domain = ""
    private(set) var number: Int32 = 0
    /// The domain and the number, or the model, for people.
    private(set) var origin = ""
    private(set) var details: Payload?
    private var causes: [CallError] = []

    /// Whether the call failed because another host uses the data directory.
    var isAboutUsedData: Bool {
        domain == "hslink.data" && number == Int32(HSLINK_DATA_IN_USE) || causes.contains(where: \.isAboutUsedData)
    }

    /// The message, preceded by the selector, class and component, and followed by the causes. It has several lines if the
    /// message has.
    var text: String {
        var place = [selector, className].filter { !$0.isEmpty }.joined(separator: " of ")
        if !component.isEmpty { place += place.isEmpty ? component : " in \(component)" }
        var text = place.isEmpty ? message : "\(place): \(message)"
        if !domain.isEmpty { text += " (\(origin))" }
        var cause = causes.first
        // A message may already contain the message of its cause.
        while let inner = cause {
            if !text.contains(inner.message) { text += ": \(inner.message)" }
            cause = inner.causes.first
        }
        return text.escapedMessage
    }

    /// The error as a JSON object, described in the help of `hslink call`.
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
            // Details that JSON cannot represent become a description.
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

extension CallError {
    init(_ error: LinkError) {
        self.init(
            code: "\(error.code)", message: error.message, className: error.className, selector: error.selector,
            component: error.component, domain: error.domain, number: error.number, origin: error.origin,
            details: error.details, causes: error.cause.map { [CallError($0)] } ?? [])
    }

    /// Creates the error of a call that was not made, or that its host did not answer.
    init(_ code: String, _ message: String, className: String = "", selector: String = "") {
        self.init(code: code, message: message, className: className, selector: selector)
    }

    /// Creates the error of a call that was performed but whose result JSON cannot represent.
    init(notPrintable error: PayloadError, of call: CallDescription, component: String) {
        self.init(
            code: "notPrintable", message: "performed, but the result cannot be printed as JSON: \(error)",
            className: call.className, selector: call.selector, component: component)
    }

    /// Creates the error of a call that was performed but whose result cannot leave the host's process.
    init(notSendable error: PayloadError, of call: CallDescription, component: String) {
        self.init(
            code: "notPrintable", message: "performed, but the result cannot leave the host's process: \(error)",
            className: call.className, selector: call.selector, component: component)
    }
}

extension JSONObject {
    /// Sets a text; null if the text is too long for JSON.
    fileprivate mutating func set(_ key: String, text: String) {
        set(key, json: (try? Payload(text).json()) ?? "null")
    }

    /// Sets a name; null if it is unknown.
    fileprivate mutating func set(_ key: String, name: String) {
        if name.isEmpty { set(key, json: "null") } else { set(key, text: name) }
    }
}
