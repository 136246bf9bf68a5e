/// Compares the copies of one model.
struct GroupReport {
    let group: ModelGroup
    /// The index of the copy with which the others are compared.
    let original: Int
    private(set) var findings: [DriftFinding] = []
    /// The marks that allow a difference.
    private(set) var usedMarks: Set<SourceLocation> = []

    init(_ group: ModelGroup, names: TypeNames) {
        self.group = group
        let choice = OriginalChoice(in: group, names: names)
        original = choice.index
        let original = group.copies[choice.index]
        for (index, copy) in group.copies.enumerated() where index != choice.index {
            for difference in ModelComparison(of: copy, with: original, names: names).differences {
                usedMarks.formUnion(difference.marks)
                guard !difference.isAllowed else { continue }
                var finding = DriftFinding(difference.kind, at: difference.location, message: difference.message)
                finding.model = group.name
                finding.copy = copy.name
                finding.member = difference.member
                finding.original = original.name
                finding.originalLocation = difference.originalLocation
                findings.append(finding)
            }
        }
        guard choice.isTied, !findings.isEmpty else { return }
        let (count, originals) = (group.copies.count, group.originals.count)
        let message =
            originals == 0
            ? "\(group.name) has no original and no majority among its \(count) copies; "
                + "they are compared with \(original.name), the first one"
            : "\(group.name) has \(originals) originals that differ, and no majority agrees with one of them; "
                + "its copies are compared with this one, the first"
        var note = DriftFinding(.original, .note, at: original.location, message: message)
        note.model = group.name
        findings.append(note)
    }
}

/// Chooses the copy that is right: the one that has the name of the model, else the one that most others agree with.
struct OriginalChoice {
    let index: Int
    /// Whether others are as likely to be right, so that the choice is only the first in the order of files.
    let isTied: Bool

    init(in group: ModelGroup, names: TypeNames) {
        if group.originals.count == 1 {
            index = group.originals[0]
            isTied = false
            return
        }
        let all = group.originals.isEmpty ? Array(group.copies.indices) : group.originals
        // All are compared with all, so a model with very many copies is judged by the first ones.
        let candidates = all.prefix(Self.maximum)
        let scores = candidates.map { candidate in
            Score(of: candidate, in: group, names: names)
        }
        var best = 0
        for position in scores.indices.dropFirst() where scores[best] < scores[position] { best = position }
        let index = candidates[best]
        let original = group.copies[index]
        self.index = index
        isTied = candidates.indices.contains { position in
            guard position != best, !(scores[position] < scores[best]) else { return false }
            let comparison = ModelComparison(of: group.copies[candidates[position]], with: original, names: names)
            return comparison.differences.contains { !$0.isAllowed }
        }
    }

    private static let maximum = 100

    private struct Score: Comparable {
        /// How many other copies are the same.
        var agreeing = 0
        var differences = 0

        init(of index: Int, in group: ModelGroup, names: TypeNames) {
            for (other, copy) in group.copies.prefix(OriginalChoice.maximum).enumerated() where other != index {
                let comparison = ModelComparison(of: copy, with: group.copies[index], names: names)
                let count = comparison.differences.count { !$0.isAllowed }
                if count == 0 { agreeing += 1 }
                differences += count
            }
        }

        static func < (first: Score, second: Score) -> Bool {
            (first.agreeing, second.differences) < (second.agreeing, first.differences)
        }
    }
}
