import ComponentHost
import ComponentKit
import HostControl
import SystemSupport

/// The outcome of a call, as `hslink call` prints it.
struct CallReport {
    private let answer: Answer
    /// The result, even if JSON cannot represent it; nil if there is none or it could not leave the host.
    private(set) var value: Payload?
    /// The result as JSON on one line; nil if there is no result or JSON cannot represent it.
    private(set) var compactText: String?
    /// Why the call failed, or why its result is not printed.
    private(set) var error: CallError?

    /// A suggestion for the user; nil if there is none.
    private(set) var hint: String?
}

extension CallReport {
    /// - Parameters:
    ///   - outcome: the outcome that the host reported.
    ///   - call: the call.
    ///   - catalog: the host's components, for names and hints.
    ///   - place: the location of the host, for hints.
    init(_ outcome: ControlClient.Outcome, of call: CallDescription, in catalog: Catalog, at place: HostPlace) {
        let component = catalog.entry(ofClass: call.className)?.manifest.name ?? ""
        switch outcome {
        case .returned(let payload):
            do throws(PayloadError) {
                self.init(answer: Answer(.success(payload)), value: payload, compactText: try payload.json())
            } catch {
                let error = CallError(notPrintable: error, of: call, component: component)
                self.init(
                    answer: Answer(.success(payload)), value: payload, error: error,
                    hint: payload.holdsObject ? CallHint.forObject(at: place) : nil)
            }
        case .notSendable(let problem):
            let error = CallError(notSendable: problem, of: call, component: component)
            self.init(
                answer: Answer(.success(.null)), error: error,
                hint: problem.found == PayloadKind.object.description ? CallHint.forObject(at: place) : nil)
        case .failed(let failure):
            // If the component is disabled, the error names it and says why the class is missing.
            let isExplained = failure.code == .classNotFound && !failure.component.isEmpty
            // The method may have passed on an error about another class.
            let hint =
                (failure.className.isExactly(call.className) && !isExplained) || failure.code == .routeNotFound
                ? CallHint(
                    for: failure.code, className: call.className, selector: call.selector, kind: call.kind, in: catalog,
                    at: place)
                : nil
            let error = CallError(failure)
            self.init(
                answer: Answer(.failure(failure)), error: error,
                hint: hint?.text ?? (error.isAboutUsedData ? CallHint.forUsedData(at: place) : nil))
        }
    }

    /// - Parameters:
    ///   - error: why the call was not made, or why the host did not answer.
    ///   - className: the class of the call; empty if unknown.
    ///   - selector: its selector.
    init(notAsked error: ControlError, _ className: String = "", _ selector: String = "") {
        self.init(
            answer: Answer(.failure(LinkError(.classNotFound))),
            error: CallError("\(error.code)", error.message, className: className, selector: selector))
    }

    /// - Parameter error: why a line of a script is not a call.
    init(refused error: UsageError) {
        self.init(
            answer: Answer(.failure(LinkError(.classNotFound))), error: CallError("usageError", error.message))
    }

    /// Returns the report of a call that returned a stream, once the stream has been printed.
    ///
    /// - Parameter error: why the stream ended early; nil at its end.
    func ofStream(endedBy error: LinkError?) -> CallReport {
        guard let error else { return CallReport(answer: Answer(.success(.null))) }
        return CallReport(answer: Answer(.failure(error)), error: CallError(error))
    }

    /// Returns the report of a call with this limit, which says how to set another one if the standard limit ended it.
    func limited(by limit: CallLimit, of call: CallDescription) -> CallReport {
        guard limit.isStandard, hint == nil, let error = answer.error, error.code == .deadlineExceeded else {
            return self
        }
        // The method may have passed on the error of a call that it has limited itself. Routes lead to any class.
        let isOwn = [call.className, ""].containsExactly(error.className) || call.className.isExactly(Link.routesClass)
        guard isOwn else { return self }
        var report = self
        report.hint = CallLimit.advice
        return report
    }

    /// The result as JSON on several lines, with dates as text; nil if there is none or JSON cannot represent it.
    var text: String? { compactText == nil ? nil : try? readable?.json(pretty: true) }

    /// The result with dates as text. One without a dollar sign has no date, and is not copied.
    private var readable: Payload? { compactText?.hasASCII("$") == true ? value?.withReadableDates : value }

    /// Returns the answer as one JSON object on one line.
    ///
    /// - Parameter line: the number of the call's line in a script.
    func json(line: Int? = nil) -> String {
        var object = JSONObject()
        if let line { object.set("line", json: "\(line)") }
        object.set("returnValue", json: compactText ?? "null")
        object.set("performSuccess", json: "\(answer.performSuccess)")
        object.set("classIsLoad", json: "\(answer.classIsLoad)")
        if let error { object.set("error", error.json) }
        return object.text
    }

    /// The exit status: 0 if the call was performed and its result can be printed, else 1.
    var status: Int32 { error == nil ? 0 : 1 }

    /// Whether the call ended before its method returned, so that the method may still be running.
    var isEndedFromOutside: Bool {
        answer.error.map { $0.code == .deadlineExceeded || $0.code == .cancelled } ?? false
    }
}

extension Payload {
    /// Whether the payload contains an object, which JSON cannot represent but a later call can use.
    var holdsObject: Bool {
        switch kind {
        case .object: true
        case .array: ((try? items()) ?? []).contains { $0.holdsObject }
        case .map: ((try? entries()) ?? []).contains { $0.value.holdsObject }
        default: false
        }
    }
}

extension CallReport {
    /// Prints the answer to a single call, or an error if the answer could not be written.
    ///
    /// - Returns: the exit status.
    func printed(asJSON isJSON: Bool) -> Int32 {
        do throws(OutputError) {
            return try print(asJSON: isJSON)
        } catch {
            Output.error(error.message)
            return 1
        }
    }

    /// Prints the answer to a single call.
    ///
    /// - Returns: the exit status.
    /// - Throws: an ``OutputError`` if the answer could not be written.
    func print(asJSON isJSON: Bool) throws(OutputError) -> Int32 {
        if isJSON {
            try Output.json(json())
        } else if let text {
            try Output.json(text)
        } else {
            printError()
        }
        return status
    }

    /// Prints the answer to a call in a script, on one line.
    ///
    /// - Returns: the status of the call. A returned object is not a failure here, because later lines can use it.
    /// - Throws: an ``OutputError`` if the answer could not be written.
    func print(asJSON isJSON: Bool, line: Int) throws(OutputError) -> Int32 {
        let object = value.flatMap { $0.holdsObject ? $0 : nil }
        if isJSON {
            try Output.json(json(line: line))
        } else if compactText != nil, let text = try? readable?.json() {
            try Output.json(text)
        } else if let object {
            try Output.result(object.description.escaped)
        } else {
            printError("line \(line): ")
        }
        return object == nil ? status : 0
    }

    private func printError(_ place: String = "") {
        guard let error else { return }
        Output.error(place + error.text)
        if let details = error.details { Output.note("details: \(details.description.escaped)") }
        if let hint { Output.note(hint.escaped) }
    }
}
