import ComponentHost
import ComponentKit
import HostControl

/// How a call ended, as `hslink call` prints it.
struct CallReport {
    private let answer: Answer
    /// The value that came back; nil when there is none, or JSON cannot hold it.
    let text: String?
    /// The answer as one object on one line.
    let json: String
    /// Why the call failed, or why its value is not printed.
    let error: CallError?

    /// What may have been meant, or can be done; nil when there is nothing to say.
    let hint: String?

    /// - Parameters:
    ///   - outcome: of the call.
    ///   - call: what was asked for.
    ///   - catalog: what the host has, for names and hints.
    init(_ outcome: ControlClient.Outcome, of call: CallDescription, in catalog: Catalog) {
        let component = catalog.entry(ofClass: call.className)?.manifest.name ?? ""
        func notPrintable(_ error: PayloadError) -> CallError {
            CallError(notPrintable: error, className: call.className, selector: call.selector, component: component)
        }
        switch outcome {
        case .returned(let payload):
            do throws(PayloadError) {
                self.init(
                    Answer(.success(payload)), value: try payload.json(), text: try payload.json(pretty: true),
                    error: nil, hint: nil)
            } catch {
                self.init(Answer(.success(payload)), value: nil, text: nil, error: notPrintable(error), hint: nil)
            }
        case .notSendable(let error):
            self.init(Answer(.success(.null)), value: nil, text: nil, error: notPrintable(error), hint: nil)
        case .failed(let failure):
            let hint = CallHint(for: "\(failure.code)", call.className, call.selector, call.kind, in: catalog)
            let error = CallError(failure)
            self.init(
                Answer(.failure(failure)), value: nil, text: nil, error: error,
                hint: hint?.text ?? error.hintAboutData)
        }
    }

    /// - Parameter error: why the host could not be asked.
    init(notAsked error: ControlError) {
        self.init(
            Answer(.failure(LinkError(.classNotFound))), value: nil, text: nil, error: CallError(notAsked: error),
            hint: nil)
    }

    private init(_ answer: Answer, value: String?, text: String?, error: CallError?, hint: String?) {
        self.answer = answer
        self.text = text
        self.error = error
        self.hint = hint
        var object = JSONObject()
        object.set("returnValue", json: value ?? "null")
        object.set("performSuccess", json: "\(answer.performSuccess)")
        object.set("classIsLoad", json: "\(answer.classIsLoad)")
        if let error { object.set("error", error.json) }
        json = object.text
    }

    /// 0 when the call was performed and its value is printed, else 1.
    var status: Int32 { error == nil ? 0 : 1 }

    /// Whether the method may still be at work.
    var isEndedFromOutside: Bool {
        answer.error.map { $0.code == .deadlineExceeded || $0.code == .cancelled } ?? false
    }
}
