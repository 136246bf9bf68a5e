import ComponentKit
import PageKit

/// What a section of a page shows, before its module is asked.
struct SectionPlan: Hashable, Sendable {
    let page: String
    let name: String
    let moduleName: String
    /// The title that the page gives to the section, which its module is told.
    let title: String?
    /// The title above the view: none if it is above the header of the section.
    var shownTitle: String?
    /// The name of the section that it is the header of; nil for none.
    let heads: String?
    let data: Payload?
    /// Whether the data are the values of the page.
    let takesValues: Bool
    let fallback: String?
    let layout: SectionLayout
    /// The module; nil if no component offers it.
    let module: ModuleDirectory.Module?
    /// Why the module must not be asked: its data does not fit.
    var problem: String?

    init(_ declaration: SectionDeclaration, of page: String, _ modules: ModuleDirectory) {
        self.page = page
        name = declaration.name
        moduleName = declaration.module
        title = declaration.title
        shownTitle = declaration.heads == nil ? declaration.title : nil
        heads = declaration.heads
        data = declaration.data
        takesValues = declaration.takesValues
        fallback = declaration.fallback
        layout = declaration.layout
        module = modules[declaration.module]
    }

    /// The frame of a page.
    ///
    /// - Parameter values: The values of the page as data of the delegate; nil if it does not take them.
    init(delegate: String, of page: String, values: Payload?, modules: ModuleDirectory) {
        self.page = page
        name = PageSection.frameName
        moduleName = delegate
        title = nil
        heads = nil
        data = values
        takesValues = values != nil
        fallback = nil
        layout = SectionLayout()
        module = modules[delegate]
    }

    /// Whether there is nothing to show in its place.
    var isLeftOut: Bool { module == nil && fallback == nil }

    /// Whether the view of the other plan may stay until this one has its own.
    func continues(_ other: SectionPlan) -> Bool {
        moduleName == other.moduleName && module == other.module && data == other.data
    }

    /// Why the module cannot be asked; nil if it can.
    var obstacle: String? {
        guard let module else { return "No component offers the module \(moduleName)." }
        return module.isCondition ? "The module \(moduleName) is a condition: it has no view." : problem
    }

    /// The section until its module has answered.
    var loading: PageSection {
        obstacle.map { missing($0) } ?? section(.loading, Placeholder("Loading…", isLoading: true).node)
    }

    /// The section as it is shown when its module cannot be.
    ///
    /// - Parameters:
    ///   - reason: The exact reason, which people who read the page are not told: it names modules, and what they throw
    ///     may name anything.
    ///   - advice: What they are told besides.
    func missing(_ reason: String, advice: String? = nil) -> PageSection {
        if let fallback { return section(.fallback, Text(fallback).node) }
        let failure = Failure("This part cannot be shown now.", advice: advice, detail: reason)
        return section(.failed, failure.node)
    }

    func section(_ state: SectionState, _ view: ViewNode) -> PageSection {
        PageSection(
            name: name, module: moduleName, component: module?.component, title: shownTitle, state: state,
            layout: layout, view: view)
    }
}

/// What a section shows after its module was asked.
struct SectionAnswer: Sendable {
    var section: PageSection
    /// About how many values its view is as payload.
    var size = 0
    /// Why there is no view of the module; nil if there is.
    var reason: String?
}

extension SectionPlan {
    /// Asks the module for its view.
    ///
    /// - Parameters:
    ///   - parts: How many parts of a long list people have asked for.
    ///   - timeout: How long it may take.
    /// - Returns: What the section shows; nil if the module has nothing for the values of the page.
    func ask(_ link: Link, parts: Int, timeout: Duration) async -> SectionAnswer? {
        guard let module, obstacle == nil else { return unanswered(obstacle ?? "") }
        let context = PageContext(page: page, section: name, title: title, module: moduleName, parts: parts)
        do {
            let answer = try await link.call(
                module.className, module.selector, module.payload(context, data), kind: module.kind, timeout: timeout)
            let view: ViewNode = try answer.value()
            let size = try view.check()
            return SectionAnswer(section: section(.shown, view), size: size)
        } catch let error as LinkError {
            if takesValues, case PageError.unknownPage? = error.original { return nil }
            let advice = error.code == .deadlineExceeded ? "It has taken too long." : nil
            return unanswered(SectionPlan.sentence(of: error, module), advice: advice)
        } catch {
            return unanswered("The module \(moduleName) of \(module.component) answered with an invalid view: \(error)")
        }
    }

    /// The answer of a module that gives none.
    func unanswered(_ reason: String, advice: String? = nil) -> SectionAnswer {
        SectionAnswer(section: missing(reason, advice: advice), reason: reason)
    }

    private static func sentence(of error: LinkError, _ module: ModuleDirectory.Module) -> String {
        let place = "The module \(module.name) of \(module.component)"
        switch error.code {
        case .deadlineExceeded: return "\(place) has not answered in time."
        case .methodFailed:
            // The text of a module may be long, and have control characters.
            let words = error.message.unicodeScalars.prefix(500).map { $0.isControl ? " " : Character($0) }
            return "\(place) failed: \(String(words))"
        default: return "\(place) cannot be asked: \(error.code)."
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
