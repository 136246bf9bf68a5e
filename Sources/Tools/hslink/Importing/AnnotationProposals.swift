import ComponentKit
import ForeignFunctions

/// What a description must still say about its functions, with annotations to choose from.
struct AnnotationProposals {
    /// Annotations by parameter, in order.
    private struct Entries {
        var names: [String] = []
        var values: [String: Payload] = [:]

        mutating func set(_ name: String, _ value: Payload) {
            if values.updateValue(value, forKey: name) == nil { names.append(name) }
        }

        var payload: Payload { .map(names.map { ($0, values[$0] ?? .null) }) }
    }

    private var accepted = Entries()
    /// The functions that release handles, by kinds.
    private var handles = Entries()
    private var open: [LibraryDescription.Refusal] = []
    /// The number of functions that cannot be called for another reason, such as guesses that do not fit together.
    private(set) var refusedCount = 0
    /// The number of functions whose annotations were guessed.
    private(set) var guessed = 0

    /// Answers raise further questions only as deep as callbacks and structs are nested.
    private static let maximumRounds = 32

    /// - Parameters:
    ///   - entries: the description without annotations.
    ///   - guesses: whether to accept the first proposal for each parameter.
    /// - Throws: a `PayloadError` if the description is invalid.
    init(for entries: [(String, Payload)], guesses: Bool) throws(PayloadError) {
        if guesses { handles = try AnnotationProposals.releases(in: LibraryDescription(.map(entries))) }
        var answers: [String: Entries] = [:]
        for _ in 0..<AnnotationProposals.maximumRounds {
            let description = try LibraryDescription(
                .map(entries + [("annotations", accepted.payload), ("handles", handles.payload)]))
            open = description.refusals.filter { !$0.questions.isEmpty }
            refusedCount = description.refusals.count - open.count
            var isNew = false
            for refusal in open where guesses {
                for question in refusal.questions where !question.isAboutOwner {
                    guard let first = question.annotations.first,
                        answers[refusal.name]?.values[question.parameter] == nil
                    else { continue }
                    answers[refusal.name, default: Entries()].set(question.parameter, .string(first))
                    isNew = true
                }
                if let answer = answers[refusal.name] { accepted.set(refusal.name, answer.payload) }
            }
            guard isNew else { break }
        }
        guessed = accepted.names.count
    }

    /// Chooses the function that releases the handles of each kind, from those that may.
    private static func releases(in description: LibraryDescription) -> Entries {
        var found: [String: String] = [:]
        for refusal in description.refusals {
            for kind in refusal.questions.compactMap(\.released) {
                let best = [found[kind], refusal.name].compactMap(\.self)
                    .min { (FunctionName.releaseRank($0) ?? .max, $0) < (FunctionName.releaseRank($1) ?? .max, $1) }
                found[kind] = best
            }
        }
        var entries = Entries()
        for (kind, function) in found.sorted(by: { $0.key < $1.key }) { entries.set(kind, .string(function)) }
        return entries
    }

    /// The number of functions that cannot be called before the description says more.
    var openCount: Int { open.count }

    /// The entries of the description: the annotations, and the proposals to choose from.
    var entries: [(String, Payload)] {
        var entries: [(String, Payload)] = []
        if !accepted.names.isEmpty { entries.append(("annotations", accepted.payload)) }
        if !handles.names.isEmpty { entries.append(("handles", handles.payload)) }
        var proposals = Entries()
        for refusal in open {
            var choices = Entries()
            for question in refusal.questions {
                choices.set(question.parameter, .array(question.annotations.map { .string($0) }))
            }
            proposals.set(refusal.name, choices.payload)
        }
        if !proposals.names.isEmpty { entries.append(("proposals", proposals.payload)) }
        return entries
    }
}

extension AnnotationQuestion {
    /// Whether it is about who releases memory. A wrong guess loses memory with each call, or ends the process.
    fileprivate var isAboutOwner: Bool {
        guard let first = annotations.first else { return false }
        return annotations.contains { $0.hasPrefix("\(first) free") }
    }
}
