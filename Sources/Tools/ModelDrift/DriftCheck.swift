import Glibc
import SystemSupport

/// Compares the copies of models in source files.
package struct DriftCheck: Sendable {
    /// The directories and files to read.
    package var paths: [String]
    /// Patterns of files and directories to leave out; see ``SourceFinder``.
    package var excluded: [String]
    /// Prefixes of modules that are written without an underscore, as `Shop` in `ShopUserInfo`.
    package var prefixes: [String]

    /// Creates a check of all Swift files and headers below some paths.
    package init(paths: [String], excluded: [String] = [], prefixes: [String] = []) {
        self.paths = paths
        self.excluded = excluded
        self.prefixes = prefixes
    }

    /// Reads the files and compares the copies. Blocks until all are read.
    ///
    /// No file makes it fail: what cannot be read is a finding, and the rest is read.
    package func run() -> DriftReport {
        var finder = SourceFinder(excluded: excluded)
        for path in paths { finder.search(path) }
        var findings = finder.findings
        var models: [Model] = []
        var aliases: [TypeAlias] = []
        for found in DriftCheck.contents(of: finder.files) {
            switch found {
            case .success(let contents):
                models += contents.models
                aliases += contents.aliases
                findings += contents.problems.map { DriftFinding(.unread, at: $0.location, message: $0.message) }
                findings += contents.looseMarks.map { mark in
                    DriftFinding(.mark, at: mark.location, message: "this mark belongs to no type, property or case")
                }
            case .failure(let problem): findings.append(problem.finding)
            }
        }
        models.sort { $0.location < $1.location }
        let pairing = Pairing(models, naming: ModelName(prefixes: prefixes))
        let names = TypeNames(groups: pairing.groups, models: models, aliases: aliases)
        let reports = pairing.groups.map { GroupReport($0, names: names) }
        findings += reports.flatMap(\.findings)
        findings += MarkReport(models: models, pairing: pairing, used: reports.map(\.usedMarks)).findings
        return DriftReport(
            findings: findings.sorted { $0.precedes($1) }, models: reports.map(DriftReport.Group.init),
            files: finder.files.count)
    }

    /// Reads all files, several at a time.
    private static func contents(of files: [String]) -> [Result<SourceContents, SourceFile.Problem>] {
        let count = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), maximumThreads, files.count))
        let parts = withLargeStacks(count) { number in
            stride(from: number, to: files.count, by: count).map { index in
                SourceFile.read(files[index]).map { source in
                    files[index].hasExactSuffix(".swift")
                        ? SwiftReader.contents(of: source) : HeaderReader.contents(of: source)
                }
            }
        }
        return parts.flatMap(\.self)
    }

    /// More threads would use memory for more syntax trees at a time.
    private static let maximumThreads = 8
}

/// The result of a check.
package struct DriftReport: Sendable {
    /// The copies of one model.
    package struct Group: Sendable {
        /// The name and place of a copy.
        package struct Copy: Sendable {
            /// The name of the type.
            package let name: String
            /// Where it is declared.
            package let location: SourceLocation
        }

        /// The name of the model.
        package let name: String
        /// All copies with the original, in the order of their files.
        package let copies: [Copy]
        /// The copy with which the others were compared.
        package let original: Copy

        init(_ report: GroupReport) {
            name = report.group.name
            copies = report.group.copies.map { Copy(name: $0.name, location: $0.location) }
            original = copies[report.original]
        }
    }

    /// The findings, in the order of the files.
    package let findings: [DriftFinding]
    /// The models with more than one copy, in the order of their names.
    package let models: [Group]
    /// The number of files found.
    package let files: Int

    /// The number of findings that are warnings.
    package var warningCount: Int { findings.count { $0.severity == .warning } }
}

/// Reports marks that are misspelt, are in the wrong place, or have no effect.
struct MarkReport {
    private(set) var findings: [DriftFinding] = []

    init(models: [Model], pairing: Pairing, used: [Set<SourceLocation>]) {
        let used = used.reduce(into: Set<SourceLocation>()) { $0.formUnion($1) }
        var seen: Set<SourceLocation> = []
        for (mark, name) in pairing.lonely {
            add("there is no other copy of \(name), only this one; check the name in the mark", mark)
        }
        for model in models {
            for mark in model.marks where seen.insert(mark.location).inserted {
                switch mark.meaning {
                case .invalid(let text):
                    add("expected \(Mark.forms) after '\(Mark.introduction)', found '\(text)'", mark)
                case .differs, .without: if !used.contains(mark.location) { addUnused(mark) }
                case .copy, .notACopy: break
                }
            }
            for mark in model.members.flatMap(\.marks) where seen.insert(mark.location).inserted {
                guard case .differs = mark.meaning else {
                    add("expected 'differs' at a property or case; all other marks belong above a type", mark)
                    continue
                }
                if !used.contains(mark.location) { addUnused(mark) }
            }
        }
    }

    private mutating func addUnused(_ mark: Mark) {
        add("this mark has no effect, because the copies do not differ here; remove it", mark)
    }

    private mutating func add(_ message: String, _ mark: Mark) {
        findings.append(DriftFinding(.mark, at: mark.location, message: message))
    }
}
