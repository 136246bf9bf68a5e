import ComponentKit
import HostContract
import NXKit
import PageKit

/// Which sections a page has now: those of its file that are not hidden, each with its module.
struct PagePlan: Sendable {
    var title: String
    var frame: SectionPlan?
    var sections: [SectionPlan]

    /// The frame and the sections.
    var all: [SectionPlan] { [frame].compactMap(\.self) + sections }
}

extension PageCenter {
    /// Reads a page, its conditions and whether its data fits the modules.
    ///
    /// - Parameter late: Called when a condition has answered that the plan has not waited for.
    func plan(
        of address: PageAddress, _ conditions: Conditions, late: @escaping @Sendable () -> Void
    ) async -> Result<PagePlan, PageError> {
        let id = address.name
        let stored: StoredPage
        switch await library.page(id) {
        case .found(let page): stored = page
        case .notYetKnown: return .failure(.notYetKnown(id: id))
        case .unknown:
            let known = await library.all().compactMap { $0.page?.id }
            return .failure(.unknownPage(id: id, similar: known.similarName(to: id)))
        }
        guard let page = stored.page else {
            return .failure(.invalidPage(id: id, problem: stored.problemLines.first ?? "its file cannot be read"))
        }
        let modules: ModuleDirectory
        do throws(LinkError) {
            modules = try await self.modules()
        } catch {
            return .failure(.invalidPage(id: id, problem: error.message))
        }
        let values: Payload?
        do throws(PageError) {
            values = try await self.values(in: address, of: page, modules: modules)
        } catch {
            return .failure(error)
        }
        let names = Set(page.sections.flatMap { ($0.conditions + $0.foldConditions).map(\.name) })
        var data: [String: Payload?] = [:]
        for name in names {
            if page.givesValues(to: name, modules) {
                data[name] = .some(values)
            } else if let defaults = await completed(nil, for: name, in: modules) {
                data[name] = .some(defaults)
            }
        }
        let answers = await conditions.values(of: names, modules, data: data, late: late)
        var sections: [SectionPlan] = []
        for var declaration in page.sections {
            let isShown = declaration.conditions.allSatisfy { answers[$0.name] == $0.expected }
            if declaration.takesValues {
                declaration.data = values
            } else {
                declaration.data = await completed(declaration.data, for: declaration.module, in: modules)
            }
            if declaration.foldConditions.contains(where: { answers[$0.name] == !$0.expected }) {
                declaration.layout.isFolded = true
            }
            var plan = SectionPlan(declaration, of: address.id, modules)
            guard isShown else { continue }
            if plan.isLeftOut {
                reportLeftOut(plan, of: id)
                continue
            }
            plan.problem = await dataProblems(of: declaration, modules).first?.text(root: "The data of the section")
            sections.append(plan)
        }
        sections.joinHeaders()
        let frame = await frame(of: page, address, values: values, modules: modules)
        return .success(PagePlan(title: page.title, frame: frame, sections: sections))
    }

    /// Returns the frame of a page; nil if it names no delegate, or no component offers that.
    private func frame(
        of page: PageDeclaration, _ address: PageAddress, values: Payload?, modules: ModuleDirectory
    ) async -> SectionPlan? {
        guard let name = page.delegate, let module = modules[name] else { return nil }
        let data =
            page.givesValues(to: name, modules) ? values : await completed(nil, for: name, in: modules)
        var frame = SectionPlan(delegate: name, of: address.id, values: data, modules: modules)
        if module.parameters.count > 1 {
            let problems = await dataProblems(DataQuestion(module: name, data: data))
            frame.problem = problems.first?.text(root: "The data of the delegate")
        }
        return frame
    }

    /// Reads the values of a page as the model that its file names.
    ///
    /// - Returns: Nil if the page takes none, or if no component offers the module that has the model.
    private func values(
        in address: PageAddress, of page: PageDeclaration, modules: ModuleDirectory
    ) async throws(PageError) -> Payload? {
        guard let name = page.values else {
            if address.query.isEmpty { return nil }
            throw .invalidPageValue(page: page.id, value: "", reason: "it takes no values")
        }
        guard modules[name] != nil else { return nil }
        let read: PageValues
        do {
            read = try await link.service(HostPagesServiceClient.self).read(module: name, query: address.query)
        } catch {
            throw .invalidPage(id: page.id, problem: "the host cannot read its values: \(error)")
        }
        if let problem = read.problem {
            throw .invalidPageValue(page: page.id, value: problem.name, reason: problem.reason)
        }
        return read.data
    }

    /// Compares the data of a section with what its module takes.
    func dataProblems(of section: SectionDeclaration, _ modules: ModuleDirectory) async -> [PayloadError] {
        guard let module = modules[section.module], section.data != nil || module.parameters.count > 1 else {
            return []
        }
        let data = section.takesValues ? section.data : await completed(section.data, for: module.name, in: modules)
        return await dataProblems(DataQuestion(module: section.module, data: data))
    }

    /// Returns the data that a module is asked with: an empty map if a page gives it none, it must have some, and all
    /// fields of their model have defaults or are optional.
    func completed(_ data: Payload?, for name: String, in modules: ModuleDirectory) async -> Payload? {
        guard data == nil, let module = modules[name], module.parameters.count > 1, !module.data.isEmpty,
            await !dataProblems(DataQuestion(module: name, data: nil)).isEmpty,
            await dataProblems(DataQuestion(module: name, data: .map([]))).isEmpty
        else { return data }
        return .map([])
    }
}

extension PageDeclaration {
    /// Whether a delegate or a condition receives the values of the page: if the data that it takes have the same model.
    /// Many pages share one, so one that takes other data, or none, is asked without them.
    func givesValues(to name: String, _ modules: ModuleDirectory) -> Bool {
        guard let values = values.flatMap({ modules[$0] }), let module = modules[name] else { return false }
        return !values.data.isEmpty && module.data == values.data
    }
}

extension [SectionPlan] {
    /// Leaves out the headers whose sections are not shown, and moves the titles of the others above their headers.
    fileprivate mutating func joinHeaders() {
        let names = Set(map(\.name))
        removeAll { plan in plan.heads.map { !names.contains($0) } ?? false }
        for (header, section) in zip(indices, indices.dropFirst()) where self[header].heads != nil {
            // What unfolds a section is its title.
            guard !self[section].layout.isFolded else { continue }
            self[header].shownTitle = self[section].title
            self[section].shownTitle = nil
        }
    }
}

/// Whether data is what a module takes.
struct DataQuestion: Hashable, Sendable {
    let module: String
    let data: Payload?

    /// Asks the host.
    ///
    /// - Returns: What is wrong with the data; nil if the host cannot say.
    func ask(_ link: Link) async -> [PayloadError]? {
        guard let pages = try? link.service(HostPagesServiceClient.self),
            let problems = try? await pages.check(module: module, data: data).problems
        else { return nil }
        return problems.map { problem in
            let path = problem.path.compactMap { element -> PayloadError.PathElement? in
                if let key = try? element.string() { return .key(key) }
                return (try? element.int()).map { .index($0) }
            }
            return PayloadError(path: path, expected: problem.expected, found: problem.found)
        }
    }
}
