import ComponentKit
import SystemSupport

// What is said of a description in the manifest.
extension DescriptionReader {
    /// The named floating-point numbers.
    var numbers: [String: Double] {
        var numbers: [String: Double] = [:]
        for case (let name, .number(let number)) in declarations.namedValues.map({ ($0.name, $0.value) }) {
            numbers[name] = number
        }
        return numbers
    }

    /// The named integers, floating-point numbers and texts, for tools.
    private var namedValues: [(String, Payload)] {
        var values: [(String, Payload)] = []
        var seen: Set<String> = []
        for name in declarations.constants.map(\.name) + text.constants.map(\.name) {
            guard let number = constants[name], seen.insert(name).inserted else { continue }
            values.append((name, Int64(exactly: number).map { .int($0) } ?? .uint(UInt64(clamping: number))))
        }
        for value in declarations.namedValues where seen.insert(value.name).inserted {
            switch value.value {
            case .number(let number): values.append((value.name, .double(number)))
            case .text(let text): values.append((value.name, .string(text)))
            }
        }
        return values
    }

    /// The manifest in the form of a component's note.
    var manifest: Payload {
        var entries: [(String, Payload)] = [("name", .string(text.name)), ("version", .string(text.version))]
        if let layer = text.layer { entries.append(("layer", .string(layer))) }
        if let summary = text.summary { entries.append(("summary", .string(summary))) }
        entries.append(
            (
                "classes",
                [
                    [
                        "name": .string(text.className),
                        "selectors": .array(
                            functions.map { $0.manifest(routes[ExactText($0.selector)]) } + variables.map(\.manifest)),
                    ]
                ]
            ))
        entries.append(("library", .array(text.libraries.map { .string($0) })))
        let values = namedValues
        if !values.isEmpty { entries.append(("constants", .map(values))) }
        if !refusals.isEmpty {
            entries.append(
                ("refused", .array(refusals.map(\.manifest)))
            )
        }
        return .map(entries)
    }
}

extension LibraryDescription.Refusal {
    /// The refusal as in a manifest.
    fileprivate var manifest: Payload {
        var entries: [(String, Payload)] = [("name", .string(name)), ("reason", .string(reason))]
        if let selector, selector != name { entries.append(("selector", .string(selector))) }
        if !questions.isEmpty {
            let items = questions.map { question -> Payload in
                [
                    "parameter": .string(question.parameter),
                    "annotations": .array(question.annotations.map { .string($0) }),
                ]
            }
            entries.append(("questions", .array(items)))
        }
        return .map(entries)
    }
}

extension FunctionPlan {
    /// Returns the selector of the function as in a manifest.
    fileprivate func manifest(_ routes: Payload?) -> Payload {
        var parameters: [(String, Payload)] = arguments.filter(\.isInput).map { argument in
            (argument.name, .string(argument.words + (argument.isNullable ? "?" : "")))
        }
        if variadic != nil { parameters.append(("...", "[Payload]")) }
        var entries: [(String, Payload)] = [("name", .string(selector)), ("parameters", .map(parameters))]
        if let words = resultWords { entries.append(("result", .string(words))) }
        if isQuick { entries.append(("quick", true)) }
        if let routes { entries.append(("routes", routes)) }
        return .map(entries)
    }

    private var resultWords: String? { hasOutputs ? "[String: Payload]" : result.words }
}
