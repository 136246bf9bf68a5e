import ComponentKit
import NXKit
import PageKit

/// What there is to know about all pages and modules, with everything that is wrong.
struct PageIndex: Sendable {
    private let center: PageCenter

    init(_ center: PageCenter) { self.center = center }

    /// All page files, sorted by the id of the page.
    func pages() async throws -> [PageSummary] {
        let modules = try await center.modules()
        var first: [String: String] = [:]
        var summaries: [PageSummary] = []
        let all = await center.library.all()
        let ids = all.compactMap { $0.page?.id }
        for stored in all {
            var problems = stored.problems
            // Places count in the file as it is, and the page may be an earlier one.
            if let written = stored.written {
                problems += PageIndex.parentProblems(of: written, in: stored.text, among: ids)
                problems += await moduleProblems(of: written, in: stored.text, modules)
            }
            guard let page = stored.page else {
                summaries.append(
                    PageSummary(id: stored.name, title: "", source: stored.source, modules: [], problems: problems))
                continue
            }
            if let other = first[page.id] {
                problems.append(
                    PageProblem(line: 0, column: 0, message: "\(other) has the page \"\(page.id)\" already"))
            } else {
                first[page.id] = stored.source
            }
            summaries.append(
                PageSummary(
                    id: page.id, title: page.title, source: stored.source, modules: page.modules, problems: problems,
                    values: page.values.flatMap { modules[$0]?.data } ?? []))
        }
        return summaries.sorted { ($0.id, $0.source) < ($1.id, $1.source) }
    }

    /// All modules that components offer, and those that only pages name, sorted by name.
    func modules() async throws -> [PageModuleSummary] {
        let modules = try await center.modules()
        var users: [String: [String]] = [:]
        var seen: Set<String> = []
        for stored in await center.library.all() {
            guard let page = stored.page, seen.insert(page.id).inserted else { continue }
            for module in page.modules { users[module, default: []].append(page.id) }
        }
        var summaries = modules.all.map { module in
            PageModuleSummary(
                name: module.name, component: module.component, isCondition: module.isCondition, data: module.data,
                pages: module.problem == nil ? users[module.name]?.sorted() ?? [] : [], problem: module.problem)
        }
        for (name, pages) in users where modules[name] == nil {
            summaries.append(
                PageModuleSummary(
                    name: name, component: nil, isCondition: false, data: [], pages: pages.sorted(),
                    problem: PageIndex.missing(name, modules)))
        }
        return summaries.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map(\.element)
    }

    private static func missing(_ name: String, _ modules: ModuleDirectory) -> String {
        let similar = modules.names.similarName(to: name).map { "; did you mean \"\($0)\"?" } ?? ""
        return "no component offers the module \"\(name)\"\(similar)"
    }

    /// Returns what is wrong with the page that a page says is above it.
    private static func parentProblems(
        of page: PageDeclaration, in text: String, among ids: [String]
    ) -> [PageProblem] {
        guard let parent = page.parent, parent != page.id, !ids.contains(parent) else { return [] }
        let similar = ids.similarName(to: parent).map { "; did you mean \"\($0)\"?" } ?? ""
        let places = JSONPlaces(Array(text.utf8))
        return [PageReader.problem("there is no page \"\(parent)\"\(similar)", at: ["parent"], places)]
    }

    /// Returns what is wrong with the modules that a page names.
    private func moduleProblems(
        of page: PageDeclaration, in text: String, _ modules: ModuleDirectory
    ) async -> [PageProblem] {
        let places = JSONPlaces(Array(text.utf8))
        var problems: [PageProblem] = []
        func add(_ message: String, _ path: [PayloadError.PathElement]) {
            guard problems.count < PageReader.mostProblems else { return }
            problems.append(PageReader.problem(message, at: path, places))
        }
        func check(_ what: String, _ module: ModuleDirectory.Module, at path: [PayloadError.PathElement]) async {
            // Values are known once the page is shown.
            guard module.parameters.count > 1, !page.givesValues(to: module.name, modules) else { return }
            let data = await center.completed(nil, for: module.name, in: modules)
            for problem in await center.dataProblems(DataQuestion(module: module.name, data: data)) {
                let reason = "\(what) receives no data but the values of its page, if their model is the same"
                add("\(reason): \(problem.text(root: "data"))", path)
            }
        }
        if let delegate = page.delegate {
            switch modules[delegate] {
            case nil: add(PageIndex.missing(delegate, modules), ["delegate"])
            case let module? where module.isCondition:
                add("\"\(delegate)\" is a condition: it has no view", ["delegate"])
            case let module?: await check("a delegate", module, at: ["delegate"])
            }
        }
        if let values = page.values {
            switch modules[values] {
            case nil: add(PageIndex.missing(values, modules), ["values"])
            case let module? where module.data.isEmpty:
                add("\"\(values)\" takes no data whose fields its manifest describes", ["values"])
            default: break
            }
        }
        for section in page.sections {
            let path = section.path
            switch modules[section.module] {
            case nil: add(PageIndex.missing(section.module, modules), path + ["module"])
            case let module? where module.isCondition:
                add("\"\(section.module)\" is a condition: it has no view", path + ["module"])
            case let module? where section.takesValues:
                if let values = page.values.flatMap({ modules[$0] }), values.data != module.data {
                    add("\"\(module.name)\" does not take the data of \"\(values.name)\"", path + ["values"])
                }
            default: break
            }
            let conditions: [(SectionDeclaration.Condition, PayloadError.PathElement)] =
                section.conditions.map { ($0, "hidden") } + section.foldConditions.map { ($0, "folded") }
            for (condition, key) in conditions {
                let path = path + [key, condition.key]
                switch modules[condition.name] {
                case nil: add(PageIndex.missing(condition.name, modules), path)
                case let module? where !module.isCondition:
                    add("\"\(condition.name)\" is not a condition: it has a view", path)
                case let module?: await check("a condition", module, at: path)
                }
            }
            // Values are known once the page is shown.
            for problem in section.takesValues ? [] : await center.dataProblems(of: section, modules) {
                let place = path + ["data"] + problem.path
                add(problem.text(root: "data"), place)
            }
        }
        return problems
    }
}

extension StoredPage {
    /// The name of the file without its ending, for a page whose id cannot be read.
    fileprivate var name: String {
        let file = source.split(separator: "/").last.map(String.init) ?? source
        return file.hasSuffix(".json") ? String(file.dropLast(5)) : file
    }
}
