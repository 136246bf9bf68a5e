import ComponentKit
import PageKit
import SystemSupport

/// The output of `hslink pages`.
struct PageListing {
    let pages: [PageSummary]

    /// Returns a table, and below it what is wrong with the pages.
    func text(on terminal: Terminal) -> String {
        var table = ListingTable([
            "PAGE", .init(title: "TITLE", shortening: .atEnd), .init(title: "SOURCE", shortening: .atStart),
            .init(title: "MODULES", shortening: .atEnd),
        ])
        table.rows = pages.map { page in
            [
                .init(
                    text: page.values.isEmpty ? page.id : "\(page.id) (\(page.values.joined(separator: ", ")))",
                    color: page.problems.isEmpty ? .none : .bad),
                .init(text: page.title),
                .init(text: page.source), .init(text: page.modules.joined(separator: ", ")),
            ]
        }
        let problems = pages.flatMap { page in
            page.problems.map { "\(page.source)\($0.place): \($0.message)".escaped }
        }
        return ([table.text(on: terminal)] + (problems.isEmpty ? [] : [""] + problems)).joined(separator: "\n")
    }

    /// Returns the listing as one JSON object, described in the help.
    func json() throws -> String { try PageSession.json(of: Payload.map([("pages", pages.payload)])) }
}

/// The output of `hslink pages --modules`.
struct ModuleListing {
    let modules: [PageModuleSummary]

    /// Returns a table, and below it what is wrong with the modules.
    func text(on terminal: Terminal) -> String {
        var table = ListingTable([
            "MODULE", "COMPONENT", .init(title: "DATA", shortening: .atEnd), .init(title: "PAGES", shortening: .atEnd),
        ])
        table.rows = modules.map { module in
            [
                .init(
                    text: module.name + (module.isCondition ? " (condition)" : ""),
                    color: module.problem == nil ? .none : .bad),
                .init(text: module.component ?? "-"), .init(text: module.data.joined(separator: ", ")),
                .init(text: module.pages.joined(separator: ", ")),
            ]
        }
        let problems = modules.compactMap { module in
            module.problem.map { "\(module.name): \($0)".escaped }
        }
        return ([table.text(on: terminal)] + (problems.isEmpty ? [] : [""] + problems)).joined(separator: "\n")
    }

    /// Returns the listing as one JSON object, described in the help.
    func json() throws -> String { try PageSession.json(of: Payload.map([("modules", modules.payload)])) }
}

extension PageProblem {
    /// The place in the file, as in `:3:14`; empty if it is about the whole file.
    fileprivate var place: String { line > 0 ? column > 0 ? ":\(line):\(column)" : ":\(line)" : "" }
}
