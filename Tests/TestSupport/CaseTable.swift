import Foundation
public import Testing

/// Cases that are read from a file or a folder, for the `arguments` of tests.
///
///     static let table = CaseTable.json("Tests/Authoring/RoutingTests/router-cases.json", of: RouterCase.self)
///
///     @Test("the file has its cases") func cases() { table.expect(count: 172) }
///     @Test("a case holds", arguments: table.cases) func holds(_ aCase: RouterCase) { … }
///
/// Arguments are made outside of any test: an issue recorded there, and a table without cases, let the run pass with none
/// of its tests. So reading a table records nothing, and each table has a test that calls ``expect(count:_:)`` or ``expect(atLeast:_:)``.
public struct CaseTable<Case: Sendable>: Sendable {
    /// What the table is read from, as messages name it.
    public let name: String
    /// The cases that could be read.
    public let cases: [Case]
    /// Why others could not be, each with its place.
    public let problems: [String]

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - name: What it is read from.
    ///   - read: Returns the cases. An error that it throws is a problem of the table.
    public init(_ name: String, reading read: () throws -> [Case]) {
        self.name = name
        do {
            (cases, problems) = (try read(), [])
        } catch {
            (cases, problems) = ([], ["\(error)"])
        }
    }

    private init(_ name: String, cases: [Case], problems: [String]) {
        (self.name, self.cases, self.problems) = (name, cases, problems)
    }

    /// Fails the running test if the table could not be read completely, or does not have `count` cases. The number
    /// stands in the test, so that a table which has lost cases is noticed.
    public func expect(count: Int, _ location: SourceLocation = #_sourceLocation) {
        expectRead(location)
        if cases.count != count {
            Issue.record("\(name): expected \(count) cases, found \(cases.count)", sourceLocation: location)
        }
    }

    /// Fails the running test if the table could not be read completely, or is shorter than expected. For tables whose
    /// length changes; it is printed.
    public func expect(atLeast count: Int, _ location: SourceLocation = #_sourceLocation) {
        expectRead(location)
        if cases.count < count {
            Issue.record("\(name): expected at least \(count) cases, found \(cases.count)", sourceLocation: location)
        }
        print("\(name): \(cases.count) cases")
    }

    private func expectRead(_ location: SourceLocation) {
        for problem in problems { Issue.record("\(name): \(problem)", sourceLocation: location) }
    }
}

extension CaseTable where Case: Decodable {
    /// Reads an array from a JSON file. An element that cannot be decoded is a problem, and the others are cases.
    ///
    /// - Parameters:
    ///   - path: The path of the file, absolute or from the package's directory.
    ///   - type: The type of the elements.
    public static func json(_ path: String, of type: Case.Type = Case.self) -> CaseTable {
        let whole = CaseTable<Element>(path) {
            let file = URL(filePath: path, relativeTo: BuiltProducts.packageDirectory)
            return try JSONDecoder().decode([Element].self, from: try Data(contentsOf: file))
        }
        var (cases, problems) = ([Case](), whole.problems)
        for (index, element) in whole.cases.enumerated() {
            switch element {
            case .read(let read): cases.append(read)
            case .broken(let problem): problems.append("element \(index): \(problem)")
            }
        }
        return CaseTable(path, cases: cases, problems: problems)
    }

    private enum Element: Decodable, Sendable {
        case read(Case)
        case broken(String)

        init(from decoder: any Decoder) {
            do { self = .read(try Case(from: decoder)) } catch { self = .broken("\(error)") }
        }
    }
}
