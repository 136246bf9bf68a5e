extension Snippet {
    /// An error about a snippet, or a note that belongs to one.
    public struct Diagnostic: Sendable, Hashable {
        /// A fix-it that the compiler offers.
        public struct FixIt: Sendable, Hashable {
            /// The position of the change.
            public let line: Int
            /// The removed text; may be empty.
            public let old: String
            /// The inserted text; may be empty.
            public let new: String

            /// What is expected of a compiler.
            public init(line: Int, old: String, new: String) {
                self.line = line
                self.old = old
                self.new = new
            }
        }

        /// The line of the snippet, counted from 1; for an error in generated code, the line of the macro. 0 if the
        /// compiler names no position in the snippet.
        public let line: Int
        /// The message, without the name of the macro that reported it.
        public let message: String
        /// Whether it is about generated code.
        public let isInExpansion: Bool
        /// In the compiler's order.
        public let fixIts: [FixIt]
        /// The notes of the compiler, without the positions of macros.
        public let notes: [Diagnostic]

        /// What is expected of a compiler.
        public init(
            line: Int, _ message: String, isInExpansion: Bool = false, fixIts: [FixIt] = [], notes: [Diagnostic] = []
        ) {
            self.line = line
            self.message = message
            self.isInExpansion = isInExpansion
            self.fixIts = fixIts
            self.notes = notes
        }
    }
}

extension Snippet.Diagnostic {
    init(_ message: SerializedDiagnostics.Message, source: String, file: String) {
        let bytes = Array(source.utf8)
        let places = message.notes.filter(\.tellsOfExpansion)
        let place = message.place.file == file ? message.place : places.last { $0.place.file == file }?.place
        self.init(
            line: place?.line ?? 0, message.text.replacing(#/ \(from macro '\w+'\)$/#, with: ""),
            isInExpansion: message.place.file.contains("@__swiftmacro_"),
            fixIts: message.fixIts.filter { $0.start.file == file }.map { fixIt in
                let range = fixIt.start.offset..<max(fixIt.start.offset, fixIt.end.offset)
                let old = String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
                return FixIt(line: fixIt.start.line, old: old, new: fixIt.text)
            },
            notes: message.notes.filter { !$0.tellsOfExpansion }.map { .init($0, source: source, file: file) })
    }
}

extension SerializedDiagnostics.Message {
    /// Whether it only names the macro that generated the code of an error.
    fileprivate var tellsOfExpansion: Bool { severity == 1 && text.hasPrefix("in expansion of macro ") }
}
