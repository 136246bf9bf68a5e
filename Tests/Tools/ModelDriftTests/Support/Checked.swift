import Foundation
import TestSupport

@testable import ModelDrift

/// Writes files into a new directory and checks them.
///
/// - Parameter files: The paths below the directory, and the contents.
/// - Returns: The findings as `path:line:column: message`, with paths below the directory. Notes begin with `note: `.
func check(_ files: [String: String], excluded: [String] = [], prefixes: [String] = []) throws -> [String] {
    let directory = try TemporaryDirectory()
    for (path, text) in files { try write(Array(text.utf8), to: path, in: directory) }
    let report = DriftCheck(paths: [directory.path], excluded: excluded, prefixes: prefixes).run()
    return report.lines(below: directory.path)
}

/// Writes a file in a subdirectory, which is made.
func write(_ bytes: [UInt8], to path: String, in directory: TemporaryDirectory) throws {
    if let slash = path.lastIndex(of: "/") { try directory.makeDirectory(String(path[..<slash])) }
    try directory.write(bytes, to: path)
}

extension DriftReport {
    /// The findings on one line each, with paths relative to a directory.
    func lines(below directory: String) -> [String] {
        findings.map { finding in
            let place = finding.location.map { ":\($0.line):\($0.column)" } ?? ""
            let severity = finding.severity == .note ? "note: " : ""
            return "\(finding.file)\(place): \(severity)\(finding.message)"
                .replacingOccurrences(of: directory + "/", with: "")
        }
    }
}

/// Reads a Swift file.
func readSwift(_ text: String) -> SourceContents {
    SwiftReader.contents(of: SourceText(file: "A.swift", bytes: Array(text.utf8)))
}

/// Reads an Objective-C header.
func readHeader(_ bytes: [UInt8]) -> SourceContents {
    HeaderReader.contents(of: SourceText(file: "A.h", bytes: bytes))
}

extension SourceContents {
    /// Everything that is compared, without places in the file.
    var outline: [String] {
        models.flatMap { model in
            ["\(model.title) \(model.name) \(model.inherited) \(model.rawType.map { "\($0)" } ?? "-")"]
                + model.members.map { member in
                    let value =
                        switch member.value {
                        case .none: "-"
                        case .unknown: "?"
                        case .tokens(let tokens, _): tokens.joined(separator: " ")
                        }
                    let marks = member.marks.map { "\($0.meaning)" }.joined()
                    return "\(member.name) \(member.alias ?? "-") \(member.type.shape) = \(value) "
                        + "\(member.key ?? "-") \(marks)"
                }
        } + problems.map(\.message)
    }
}
