import ComponentKit

/// How a call ended, as `hslink call` prints it.
struct CallReport {
    private let answer: Answer
    /// The value that came back; nil when there is none, or JSON cannot hold it.
    let text: String?
    /// The answer as one object on one line.
    let json: String
    /// Why the call failed, or why its value is not printed.
    let error: CallError?

    /// - Parameters:
    ///   - result: of the call.
    ///   - className: that was asked for.
    ///   - selector: that was asked for.
    ///   - component: that has the class; empty when none has.
    init(_ result: Result<Payload, LinkError>, className: String, selector: String, component: String) {
        answer = Answer(result)
        var value = "null"
        switch result {
        case .success(let payload):
            do throws(PayloadError) {
                value = try payload.json()
                text = try payload.json(pretty: true)
                error = nil
            } catch {
                text = nil
                self.error = CallError(
                    notPrintable: error, className: className, selector: selector, component: component)
            }
        case .failure(let failure):
            text = nil
            error = CallError(failure)
        }
        var object = JSONObject()
        object.set("returnValue", json: value)
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
