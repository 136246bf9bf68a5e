import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

/// The expansion of a source file of module `Video`.
struct Expansion {
    /// The whole file after expansion.
    let source: String
    /// Diagnostics as `line:column message` or `line:column warning: message`, with the position of the start of the
    /// node, as in the compiler.
    let diagnostics: [String]
    /// Fix-its as `message: new source`.
    private(set) var fixIts: [String] = []

    /// Expands a whole file as the compiler does.
    init(of source: String) {
        let file = Parser.parse(source: source)
        let shared = Self.context(of: file)
        let expanded = file.expand(
            macroSpecs: [
                "toolchain": MacroSpec(type: ToolchainMacro.self),
                "compilerVersion": MacroSpec(type: CompilerVersionMacro.self),
                "Component": MacroSpec(type: ComponentMacro.self, conformances: ["Component"]),
                "LinkClass": MacroSpec(type: LinkClassMacro.self, conformances: ["LinkClass"]),
                "Selector": MacroSpec(type: SelectorMacro.self),
                "Route": MacroSpec(type: RouteMacro.self),
                "Intercepts": MacroSpec(type: InterceptsMacro.self),
                "On": MacroSpec(type: OnMacro.self),
                "PageModule": MacroSpec(type: PageModuleMacro.self),
                "Event": MacroSpec(type: EventMacro.self, conformances: ["LinkEvent"]),
                "LinkService": MacroSpec(type: LinkServiceMacro.self),
                "Model": MacroSpec(type: ModelMacro.self, conformances: ["PayloadConvertible"]),
            ],
            contextGenerator: { syntax in
                BasicMacroExpansionContext(sharingWith: shared, lexicalContext: syntax.allMacroLexicalContexts())
            })
        self.source = expanded.description
        diagnostics = Self.diagnostics(of: shared)
        fixIts = shared.diagnostics.flatMap(\.fixIts).map { fixIt in
            let changes = fixIt.changes.compactMap { change -> String? in
                guard case .replace(_, let new) = change else { return nil }
                return new.trimmedDescription
            }
            return "\(fixIt.message.message): \(changes.joined(separator: " | "))"
        }
    }

    private static func context(of file: SourceFileSyntax) -> BasicMacroExpansionContext {
        BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Video", fullFilePath: "/src/Video.swift")])
    }

    private static func diagnostics(of context: BasicMacroExpansionContext) -> [String] {
        context.diagnostics.map { diagnostic in
            let node = diagnostic.node
            let location = context.location(
                for: node.positionAfterSkippingLeadingTrivia, anchoredAt: node, fileName: "Video.swift")
            let severity = diagnostic.diagMessage.severity == .warning ? "warning: " : ""
            return "\(location.line):\(location.column) \(severity)\(diagnostic.message)"
        }
    }
}

extension Expansion {
    /// The texts of all notes in the source, in order, without padding.
    var notes: [String] {
        source.split(separator: "@section(\".note.hslink\")").dropFirst().map { part in
            let words = part.prefix { $0 != "]" }.matches(of: /0x([0-9A-F]{16})/).compactMap { UInt64($0.1, radix: 16) }
            let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
            return String(String(decoding: bytes, as: UTF8.self).reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The source without notes, records and symbols, without the lines of authors, and without empty lines: what an
    /// author would have written.
    var code: String {
        var lines: [Substring] = []
        var depth: Int?
        for line in source.split(separator: "\n")
        where !line.contains("@_silgen_name(") && !line.contains("#sourceLocation(") {
            let indentation = line.prefix { $0 == " " }.count
            if line.contains("@section(") { depth = indentation }
            if let start = depth {
                if indentation == start, line.hasSuffix(")") || line.hasSuffix("}") { depth = nil }
                continue
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    /// The statements whose errors are reported in the author's file, as `line: statement`: those after a line that the
    /// macro names, up to the end of its place.
    var authorLines: [String] {
        var found: [String] = []
        var place: Int?
        for line in source.split(separator: "\n") {
            let text = line.drop { $0 == " " }
            if let match = text.wholeMatch(of: #/#sourceLocation\(file: "/src/Video.swift", line: (\d+)\)/#) {
                place = Int(match.1)
            } else if text == "#sourceLocation()" {
                place = nil
            } else if let line = place {
                found.append("\(line): \(text)")
                place = line + 1
            }
        }
        return found
    }

    /// The text of the note, read back from the words in the source.
    var noteText: String {
        let words = source.matches(of: /0x([0-9A-F]{16})/).compactMap { UInt64($0.1, radix: 16) }
        let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of the note without padding.
    var noteContent: String {
        String(noteText.reversed().drop { $0 == " " }.reversed())
    }
}
