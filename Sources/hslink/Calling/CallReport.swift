import ComponentHost
import ComponentKit
import HostControl
import SystemSupport

/// How a call ended, as `hslink call` prints it.
struct CallReport {
    private let answer: Answer
    /// What came back, also where JSON cannot hold it; nil where nothing did, or it could not leave the host.
    let value: Payload?
    /// The value on one line; nil when there is none, or JSON cannot hold it.
    let compactText: String?
    /// Why the call failed, or why its value is not printed.
    let error: CallError?

    /// What may have been meant, or can be done; nil when there is nothing to say.
    let hint: String?

    /// - Parameters:
    ///   - outcome: of the call.
    ///   - call: what was asked for.
    ///   - catalog: what the host has, for names and hints.
    ///   - place: where the host is, for hints.
    init(_ outcome: ControlClient.Outcome, of call: CallDescription, in catalog: Catalog, at place: HostPlace) {
        let component = catalog.entry(ofClass: call.className)?.manifest.name ?? ""
        switch outcome {
        case .returned(let payload):
            do throws(PayloadError) {
                self.init(Answer(.success(payload)), payload, try payload.json(), error: nil, hint: nil)
            } catch {
                let error = CallError(notPrintable: error, of: call, component: component)
                self.init(
                    Answer(.success(payload)), payload, nil, error: error,
                    hint: payload.holdsObject ? CallHint.forObject(at: place) : nil)
            }
        case .notSendable(let problem):
            let error = CallError(notSendable: problem, of: call, component: component)
            self.init(
                Answer(.success(.null)), nil, nil, error: error,
                hint: problem.found == PayloadKind.object.description ? CallHint.forObject(at: place) : nil)
        case .failed(let failure):
            let hint = CallHint(
                for: "\(failure.code)", call.className, call.selector, call.kind, in: catalog, at: place)
            let error = CallError(failure)
            self.init(
                Answer(.failure(failure)), nil, nil, error: error,
                hint: hint?.text ?? (error.isAboutUsedData ? CallHint.forUsedData(at: place) : nil))
        }
    }

    /// - Parameter error: why the host could not be asked.
    init(notAsked error: ControlError) {
        self.init(
            Answer(.failure(LinkError(.classNotFound))), nil, nil, error: CallError(notAsked: error), hint: nil)
    }

    private init(_ answer: Answer, _ value: Payload?, _ compactText: String?, error: CallError?, hint: String?) {
        self.answer = answer
        self.value = value
        self.compactText = compactText
        self.error = error
        self.hint = hint
    }

    /// The value on several lines; nil when there is none, or JSON cannot hold it.
    var text: String? { compactText == nil ? nil : try? value?.json(pretty: true) }

    /// The answer as one object on one line.
    ///
    /// - Parameter line: of the script that has the call.
    func json(line: Int? = nil) -> String {
        var object = JSONObject()
        if let line { object.set("line", json: "\(line)") }
        object.set("returnValue", json: compactText ?? "null")
        object.set("performSuccess", json: "\(answer.performSuccess)")
        object.set("classIsLoad", json: "\(answer.classIsLoad)")
        if let error { object.set("error", error.json) }
        return object.text
    }

    /// 0 when the call was performed and its value is printed, else 1.
    var status: Int32 { error == nil ? 0 : 1 }

    /// Whether the method may still be at work.
    var isEndedFromOutside: Bool {
        answer.error.map { $0.code == .deadlineExceeded || $0.code == .cancelled } ?? false
    }
}

extension Payload {
    /// Whether an object is in it: one that JSON cannot hold, and a later call can use.
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
    /// Prints the answer to one call.
    ///
    /// - Returns: the exit status.
    /// - Throws: when it could not be written.
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

    /// Prints the answer to a call of a script, on one line.
    ///
    /// - Returns: the status of the call. An object that came back is no failure here: later lines use it.
    /// - Throws: when it could not be written.
    func print(asJSON isJSON: Bool, line: Int) throws(OutputError) -> Int32 {
        let object = value.flatMap { $0.holdsObject ? $0 : nil }
        if isJSON {
            try Output.json(json(line: line))
        } else if let compactText {
            try Output.json(compactText)
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
