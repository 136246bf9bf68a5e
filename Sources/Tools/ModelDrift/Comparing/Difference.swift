/// A way in which a copy differs from the original.
struct Difference {
    let kind: DriftFinding.Kind
    /// Where to change the copy.
    let location: SourceLocation
    /// What the original has, or the original type if it lacks this.
    let originalLocation: SourceLocation
    /// The property or case.
    let member: String?
    let message: String
    /// The locations of the marks that allow it.
    var marks: [SourceLocation] = []

    var isAllowed: Bool { !marks.isEmpty }
}

/// Something that the check has to say.
package struct DriftFinding: Sendable, Hashable {
    /// What it is about.
    package enum Kind: String, Sendable {
        /// The copy lacks a property or case.
        case missing
        /// The copy has a property or case that the original lacks.
        case extra
        /// The types of a property, or the values of a case, differ.
        case type
        /// The properties or cases are in a different order.
        case order
        /// The default values of a property differ.
        case defaultValue = "default"
        /// A property is encoded under different names.
        case key
        /// The raw values of a case, or their types, differ.
        case rawValue
        /// One is an enumeration, and the other is not.
        case declaration
        /// The superclasses differ.
        case superclass
        /// A mark is misspelt, or has no effect.
        case mark
        /// A file or directory could not be read, or not completely.
        case unread
        /// No copy is the original.
        case original
    }

    /// How much it matters.
    package enum Severity: String, Sendable {
        case warning
        /// An explanation of warnings.
        case note
    }

    /// What it is about.
    package let kind: Kind
    /// How much it matters.
    package let severity: Severity
    /// The file.
    package let file: String
    /// The place in the file; nil if it is about the whole file.
    package let location: SourceLocation?
    /// One sentence without a full stop.
    package let message: String
    /// The name of the model, if it is about one.
    package var model: String?
    /// The name of the copy, if it is about one.
    package var copy: String?
    /// The name of the property or case, if it is about one.
    package var member: String?
    /// The name of the original, if it is about a difference.
    package var original: String?
    /// The member of the original, or the original itself, if it is about a difference.
    package var originalLocation: SourceLocation?

    init(_ kind: Kind, _ severity: Severity = .warning, at location: SourceLocation, message: String) {
        self.kind = kind
        self.severity = severity
        file = location.file
        self.location = location
        self.message = message
    }

    init(_ kind: Kind, file: String, _ message: String) {
        self.kind = kind
        severity = .warning
        self.file = file
        location = nil
        self.message = message
    }

    /// Whether this comes before another finding in the output.
    func precedes(_ other: DriftFinding) -> Bool {
        let place = (file, location?.line ?? 0, location?.column ?? 0)
        let otherPlace = (other.file, other.location?.line ?? 0, other.location?.column ?? 0)
        guard place == otherPlace else { return place < otherPlace }
        // What a copy lacks, in the order of the original.
        let lines = (originalLocation?.line ?? 0, other.originalLocation?.line ?? 0)
        return lines.0 == lines.1 ? message < other.message : lines.0 < lines.1
    }
}
