import ComponentKit
import NXKit
import PageKit

/// A page as an operator has written it.
///
///     {"page": "home", "title": "Home", "delegate": "member.frame", "sections": [{"module": "account.card"}, …]}
///
/// One that takes values names the module whose model they are, and says which of its modules receive them as data:
///
///     {"page": "address", "values": "owner.address", "sections": [{"module": "owner.address", "values": true}, …]}
struct PageDeclaration: Hashable, Sendable {
    var id: String
    var title: String
    /// Where the page is among those that a navigation leads to; nil after those that say so.
    var position: Int?
    /// The page above this one. While it exists, a navigation leads to it and not to this one.
    var parent: String?
    /// The module whose view surrounds the sections.
    var delegate: String?
    /// The module whose model the values of the page are; nil if it takes none.
    var values: String?
    var sections: [SectionDeclaration]

    /// The modules and conditions that the page names, in order, each once.
    var modules: [String] {
        var seen: Set<String> = []
        let ofSections = sections.flatMap { [$0.module] + ($0.conditions + $0.foldConditions).map(\.name) }
        let names = [delegate, values].compactMap(\.self) + ofSections
        return names.filter { seen.insert($0).inserted }
    }
}

/// A section of a page as an operator has written it.
///
///     {"name": "pictures", "module": "image.gallery", "title": "Pictures", "data": {"directory": "pictures"},
///      "header": {"module": "image.filter"}, "fallback": {"text": "No pictures here."},
///      "hidden": {"unless": "account.signedIn"}, "columns": 2, "inset": 1, "itemSpace": 1, "lineSpace": 2,
///      "folded": true}
struct SectionDeclaration: Hashable, Sendable {
    /// A condition under which the section is shown, or unfolded.
    struct Condition: Hashable, Sendable {
        /// The name of the module that answers it.
        var name: String
        /// What it must answer for the section to be shown, or unfolded.
        var expected: Bool

        /// The key of a page file that it is the value of.
        var key: PayloadError.PathElement { expected ? "unless" : "if" }
    }

    /// Unique on the page.
    var name: String
    var module: String
    var title: String?
    var data: Payload?
    /// Whether the module receives the values of the page as its data.
    var takesValues = false
    /// What to show if the module is missing or fails; nil to leave the section out, or show the failure.
    var fallback: String?
    var conditions: [Condition]
    /// The conditions under which it is unfolded at first. One that has no answer folds nothing.
    var foldConditions: [Condition]
    var layout: SectionLayout
    /// Where it is in the file.
    var path: [PayloadError.PathElement]
    /// The name of the section that it is the header of, which follows it; nil if it is a section of its own.
    var heads: String?
}

/// Reads a page file. Collects everything that is wrong with it.
struct PageReader {
    private let places: JSONPlaces
    private(set) var problems: [PageProblem] = []

    private static let pageKeys = ["page", "title", "position", "parent", "delegate", "values", "sections"]
    /// The largest number of sections of a page.
    static let mostSections = 200
    /// How many problems of a file are told. Each is looked for in the text, which may be long.
    static let mostProblems = 20

    private static let limits = PayloadLimits(depth: 32, nodes: 100_000, bytes: 4 << 20)

    /// Reads a page.
    ///
    /// - Parameter text: The content of the file.
    /// - Returns: What is written, which is not usable if anything is wrong, or nil if nothing can be read; and what is
    ///   wrong.
    static func read(_ text: String) -> (written: PageDeclaration?, problems: [PageProblem]) {
        let json: Payload
        do throws(PayloadError) {
            json = try Payload(json: text, limits: limits)
        } catch {
            return (nil, [PageProblem(syntax: error)])
        }
        var reader = PageReader(places: JSONPlaces(Array(text.utf8)))
        return (reader.page(json), reader.problems)
    }

    private init(places: JSONPlaces) { self.places = places }

    /// Returns the problem with a value at a path.
    static func problem(_ message: String, at path: [PayloadError.PathElement], _ places: JSONPlaces) -> PageProblem {
        let place = places.placeOfValue(at: path)
        return PageProblem(line: place.line, column: place.column, message: message)
    }

    private mutating func fail(_ message: String, at path: [PayloadError.PathElement]) {
        guard problems.count < PageReader.mostProblems else { return }
        problems.append(PageReader.problem(message, at: path, places))
    }

    private mutating func page(_ json: Payload) -> PageDeclaration? {
        guard json.kind == .map else {
            fail("expected a page as an object, found \(json.kind)", at: [])
            return nil
        }
        refuseKeys(of: json, besides: PageReader.pageKeys, at: [])
        let id = name("page", in: json, at: [], "home")
        let title = text("title", in: json, at: [], lines: false) ?? id ?? ""
        let position = number("position", in: json, 0...1000, at: [])
        let parent = json["parent"] == nil ? nil : name("parent", in: json, at: [], "owner")
        if let parent, parent == id { fail("a page is not above itself; name another one", at: ["parent"]) }
        let delegate = json["delegate"] == nil ? nil : name("delegate", in: json, at: [], "member.frame")
        let values = json["values"] == nil ? nil : name("values", in: json, at: [], "owner.address")
        guard let items = try? json["sections"]?.items() else {
            fail("expected \"sections\" with an array, found \(PageReader.kind(json["sections"]))", at: ["sections"])
            return nil
        }
        if items.count > PageReader.mostSections {
            fail("expected at most \(PageReader.mostSections) sections, found \(items.count)", at: ["sections"])
            return nil
        }
        var names: Set<String> = []
        var sections: [SectionDeclaration] = []
        for (index, item) in items.enumerated() {
            for section in section(item, at: ["sections", .index(index)]) {
                if section.takesValues, json["values"] == nil {
                    fail(
                        "the page takes no values; name the module whose model they are as its \"values\"",
                        at: section.path + ["values"])
                }
                sections.append(section)
                // One without a name has a mistake already, and so has the header of one whose name is taken.
                guard !section.name.isEmpty, !names.contains(section.heads ?? "") else { continue }
                if !names.insert(section.name).inserted {
                    fail(
                        "two sections are called \"\(section.name)\"; give this one another \"name\"", at: section.path)
                }
            }
        }
        return PageDeclaration(
            id: id ?? "", title: title, position: position, parent: parent, delegate: delegate, values: values,
            sections: sections)
    }

    /// Reads a section.
    ///
    /// - Returns: The section, and its header before it if it has one; nothing if it cannot be read.
    private mutating func section(_ json: Payload, at path: [PayloadError.PathElement]) -> [SectionDeclaration] {
        guard json.kind == .map else {
            fail("expected a section as an object, found \(json.kind)", at: path)
            return []
        }
        let keys = [
            "module", "name", "title", "data", "values", "header", "fallback", "hidden", "columns", "inset",
            "itemSpace", "lineSpace", "folded",
        ]
        refuseKeys(of: json, besides: keys, at: path)
        let module = name("module", in: json, at: path, "owner.addresses")
        let name = json["name"] == nil ? module : self.name("name", in: json, at: path, "addresses")
        let layout = SectionLayout(
            columns: number("columns", in: json, 1...12, at: path) ?? 1,
            inset: number("inset", in: json, 0...10, at: path) ?? 0,
            isFolded: json["folded"]?.kind == .map ? false : flag("folded", in: json, at: path),
            itemSpace: number("itemSpace", in: json, 0...10, at: path),
            lineSpace: number("lineSpace", in: json, 0...10, at: path))
        let title = text("title", in: json, at: path, lines: false)
        let fallback = fallback(of: json, at: path)
        let conditions = conditions("hidden", of: json, at: path)
        let foldConditions = json["folded"]?.kind == .map ? self.conditions("folded", of: json, at: path) : []
        let takesValues = takesValues(json, at: path)
        if name == PageSection.frameName { fail("a section cannot be called \"\(PageSection.frameName)\"", at: path) }
        guard let module else { return [] }
        let section = SectionDeclaration(
            name: name ?? "", module: module, title: title, data: json["data"], takesValues: takesValues,
            fallback: fallback, conditions: conditions, foldConditions: foldConditions, layout: layout, path: path)
        return [header(of: section, in: json), section].compactMap(\.self)
    }

    /// Reads the header of a section, which is shown as a section of its own before it.
    private mutating func header(of section: SectionDeclaration, in json: Payload) -> SectionDeclaration? {
        guard let header = json["header"] else { return nil }
        let path = section.path + ["header"]
        guard header.kind == .map else {
            fail("expected {\"module\": …}, found \(header.kind)", at: path)
            return nil
        }
        refuseKeys(of: header, besides: ["module", "data", "values"], at: path)
        let takesValues = takesValues(header, at: path)
        guard let module = name("module", in: header, at: path, "image.filter") else { return nil }
        return SectionDeclaration(
            name: section.name.isEmpty ? "" : "\(section.name).header", module: module, title: section.title,
            data: header["data"], takesValues: takesValues, conditions: [], foldConditions: [],
            layout: SectionLayout(isHeader: true), path: path, heads: section.name)
    }

    private mutating func takesValues(_ json: Payload, at path: [PayloadError.PathElement]) -> Bool {
        let takesValues = flag("values", in: json, at: path)
        if takesValues, json["data"] != nil {
            fail("the data of the section are the values of the page; leave \"data\" out", at: path + ["data"])
        }
        return takesValues
    }

    private mutating func fallback(of json: Payload, at path: [PayloadError.PathElement]) -> String? {
        guard let fallback = json["fallback"] else { return nil }
        let path = path + ["fallback"]
        guard fallback.kind == .map else {
            fail("expected {\"text\": …}, found \(fallback.kind)", at: path)
            return nil
        }
        refuseKeys(of: fallback, besides: ["text"], at: path)
        if fallback["text"] == nil { fail("expected \"text\", found nothing", at: path) }
        return text("text", in: fallback, at: path)
    }

    private mutating func conditions(
        _ key: String, of json: Payload, at path: [PayloadError.PathElement]
    ) -> [SectionDeclaration.Condition] {
        guard let value = json[key] else { return [] }
        let path = path + [.key(key)]
        guard value.kind == .map else {
            fail("expected {\"if\": …} or {\"unless\": …} with the name of a condition, found \(value.kind)", at: path)
            return []
        }
        refuseKeys(of: value, besides: ["if", "unless"], at: path)
        var conditions: [SectionDeclaration.Condition] = []
        for (key, expected) in [("if", false), ("unless", true)] where value[key] != nil {
            guard let name = name(key, in: value, at: path, "account.signedIn") else { continue }
            conditions.append(SectionDeclaration.Condition(name: name, expected: expected))
        }
        if conditions.isEmpty { fail("expected \"if\" or \"unless\", found neither", at: path) }
        return conditions
    }
}

// The parts of a page file.
extension PageReader {
    private mutating func refuseKeys(of json: Payload, besides keys: [String], at path: [PayloadError.PathElement]) {
        for entry in (try? json.entries()) ?? [] where !keys.contains(entry.key) {
            let similar = keys.similarName(to: entry.key).map { "; did you mean \"\($0)\"?" } ?? ""
            fail("unknown key \"\(PageReader.shown(entry.key))\"\(similar)", at: path + [.key(entry.key)])
        }
    }

    /// Reads the name of a page, a section or a module.
    private mutating func name(
        _ key: String, in json: Payload, at path: [PayloadError.PathElement], _ example: String
    ) -> String? {
        let path = path + [.key(key)]
        guard let text = try? json[key]?.string() else {
            let found = PageReader.kind(json[key])
            fail("expected \"\(key)\" with a name such as \"\(example)\", found \(found)", at: path)
            return nil
        }
        guard PageName.allows(text) else {
            fail("expected \(PageName.expected), found \"\(PageReader.shown(text))\"", at: path)
            return nil
        }
        return text
    }

    private mutating func text(
        _ key: String, in json: Payload, at path: [PayloadError.PathElement], lines: Bool = true
    ) -> String? {
        guard let value = json[key] else { return nil }
        let path = path + [.key(key)]
        guard let text = try? value.string() else {
            fail("expected a string, found \(value.kind)", at: path)
            return nil
        }
        let control = text.unicodeScalars.first {
            $0.properties.generalCategory == .control && !(lines && $0 == "\n")
        }
        if let control {
            let code = String(control.value, radix: 16, uppercase: true)
            fail("expected no control characters\(lines ? " except line breaks" : ""), found U+\(code)", at: path)
        } else if text.utf8.count > 4000 {
            fail("expected at most 4000 bytes of text, found \(text.utf8.count)", at: path)
        }
        return text
    }

    private mutating func number(
        _ key: String, in json: Payload, _ range: ClosedRange<Int>, at path: [PayloadError.PathElement]
    ) -> Int? {
        guard let value = json[key] else { return nil }
        guard let number = try? value.int(), range.contains(number) else {
            fail("expected an integer from \(range.lowerBound) to \(range.upperBound)", at: path + [.key(key)])
            return nil
        }
        return number
    }

    private mutating func flag(_ key: String, in json: Payload, at path: [PayloadError.PathElement]) -> Bool {
        guard let value = json[key] else { return false }
        guard let flag = try? value.bool() else {
            fail("expected true or false, found \(value.kind)", at: path + [.key(key)])
            return false
        }
        return flag
    }

    /// The beginning of a text. Scalars are counted, since a single character may have any number of marks.
    private static func shown(_ text: String) -> String { String(text.unicodeScalars.prefix(60)) }

    private static func kind(_ value: Payload?) -> String { value.map { "\($0.kind)" } ?? "nothing" }
}

extension PageSection {
    /// The name of the section that is the frame of a page.
    static let frameName = "frame"
}

extension PageProblem {
    /// Creates the problem from an error of the JSON reader.
    init(syntax error: PayloadError) {
        // The place is read from the last words, since a `PayloadError` has it there only. The JSON reader throws it as
        // a value too, to HSLink's own tools; components have what is public. If the words change, the message has them
        // and no place is shown.
        let pattern = /\ at line (\d+), column (\d+)$/
        let text = error.text(root: nil)
        if let match = text.firstMatch(of: pattern), let line = Int(match.1), let column = Int(match.2) {
            self.init(line: line, column: column, message: String(text[..<match.range.lowerBound]))
        } else {
            self.init(line: 0, column: 0, message: text)
        }
    }
}
