import ComponentKit
import SystemSupport

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
