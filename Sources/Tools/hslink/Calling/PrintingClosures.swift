import ComponentHost
import ComponentKit

/// Makes the closures that a command line gives as `@print`: each prints the arguments of its calls, one line per call.
struct PrintingClosures {
    let host: LinkHost
    let isJSON: Bool

    /// Returns a closure as a payload.
    ///
    /// - Parameter key: the parameter, which the JSON names.
    func closure(for key: String) -> Payload {
        host.link.closure { [isJSON] payload in
            let arguments = try payload.copy()
            // What could not be written must not fail the call, which has begun already.
            try? Output.json(PrintingClosures.line(arguments, of: key, isJSON: isJSON))
            return Payload.null
        }
    }

    /// Returns a line for a call with these arguments. What JSON cannot hold, such as an object, is described.
    static func line(_ arguments: Payload, of key: String, isJSON: Bool) -> String {
        let shown = isJSON ? arguments : arguments.withReadableDates
        let printable = (try? shown.json()) == nil ? Payload(shown.description) : shown
        let line: Payload = isJSON ? ["closure": .string(key), "arguments": printable] : printable
        return (try? line.json()) ?? "null"
    }
}
