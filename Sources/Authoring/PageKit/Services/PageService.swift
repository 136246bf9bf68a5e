public import ComponentKit

/// The service that composes pages: from page files that operators write, and from the page modules of components.
///
/// ComponentPages provides it. A renderer shows what it answers; an application can show pages itself with it:
///
/// ```swift
/// let pages = try host.service(PageServiceClient.self)
/// var page = try await pages.page(id: "home", after: nil)
/// for try await update in try await pages.updates(id: "home") { try page.apply(update) }
/// ```
///
/// A page that takes values has them in its id, as in `address?id=3`; see ``PageAddress``.
///
/// A page belongs to the session of the call, `Session.current`: its modules and conditions are asked in that session, and
/// its actions are performed there. Readers in one session see the same page; those in others see theirs.
///
/// All functions throw ``PageError``, or a `LinkError` if no component provides the service.
@LinkService("org.hslink.pages/1")
public protocol PageService: Sendable {
    /// Returns all pages that are known, sorted by id, with what is wrong with them.
    func pages() async throws -> [PageSummary]

    /// Returns all page modules that components offer, sorted by name, and those that only pages name.
    func modules() async throws -> [PageModuleSummary]

    /// Returns what leads from a page to others: a frame shows it, so that nothing leads to a page that does not exist.
    ///
    /// It waits at most 200 ms. The pages of a component that has not said in time which ones it brings along are left
    /// out, and the frames of pages are asked again once it has.
    ///
    /// - Parameter id: the id of the page, with its values if it takes any. For a page that does not exist, nothing is
    ///   above it.
    func navigation(from id: String) async throws -> PageNavigation

    /// Returns a page. The modules of its sections are asked at once. Those that have not answered after 300 ms are
    /// shown as loading.
    ///
    /// - Parameters:
    ///   - id: the name of the page, with its values if it takes any.
    ///   - revision: the revision that the caller has: the answer then waits for another one, up to 20 seconds. Nil for
    ///     the page as it is now.
    func page(id: String, after revision: Int?) async throws -> Page

    /// Returns a page as soon as it is known whether it shows a section, and what that shows: while a condition that may
    /// hide sections, or the module of this one, has not answered in time, it waits for the answer.
    ///
    /// - Parameters:
    ///   - id: the name of the page, with its values if it takes any.
    ///   - section: the name of the section. The page that is returned need not show it.
    func settledPage(id: String, section: String) async throws -> Page

    /// Returns the page, and then what changes about it. Releasing the sequence ends it; it ends with an error when the
    /// page is deleted. A reader that falls behind receives the page as a whole. What a section shows stays while another
    /// module, or the same one with other data, has not answered for the first time.
    func updates(id: String) async throws -> AsyncThrowingStream<PageUpdate, any Error>

    /// Performs an action of a view on a page, and asks its module for the view again.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - section: the name of the section.
    ///   - action: an action that the view of the section has now; any other is refused.
    ///   - values: what a person has filled in, by the names of fields, if the action is that of a form; each text is
    ///     read as ``FieldContent/value(of:)`` says.
    func perform(
        page: String, section: String, action: Action, values: [String: String]
    ) async throws -> ActionOutcome

    /// Reads the page files again and asks all modules of the page that is shown again.
    func refresh(id: String) async throws
}

/// The description of a page, without its sections.
@Model public struct PageSummary: Hashable, Sendable {
    /// The name by which the page is asked for.
    public var id: String
    /// The title of the page; empty if its file cannot be read.
    public var title: String
    /// The path of its file, or the component that provides it.
    public var source: String
    /// The modules that it names, in order, each once.
    public var modules: [String]
    /// What is wrong with it.
    public var problems: [PageProblem]
    /// The values that it takes, with their types, as in `id: Int64`; empty if it takes none.
    public var values: [String] = []
}

/// What leads from a page to others.
@Model public struct PageNavigation: Hashable, Sendable {
    /// The pages that are below no other and take no values, by the positions in their files, then by title.
    public var pages: [PageLink]
    /// The page above this one; nil if there is none.
    public var parent: PageLink?
}

/// A page that can be shown.
@Model public struct PageLink: Hashable, Sendable {
    /// The id of the page.
    public var id: String
    /// What to call it: the title in its file.
    public var title: String
}

/// A problem in a page file.
@Model public struct PageProblem: Hashable, Sendable {
    /// The line in the file, from 1; 0 if it is about the whole file.
    public var line: Int
    /// The column in the line, in characters from 1; 0 if it is about the whole file.
    public var column: Int
    /// What is wrong, and what was expected.
    public var message: String
}

/// A page module, as a component offers it.
@Model public struct PageModuleSummary: Hashable, Sendable {
    /// The name that pages use.
    public var name: String
    /// The component that offers it; nil if only pages name it.
    public var component: String?
    /// Whether it is a condition, which says whether sections are hidden.
    public var isCondition: Bool
    /// The fields of the model that it takes as `data`, with their types, as in `limit: Int = 10`; empty if it takes
    /// none.
    public var data: [String]
    /// The pages that name it.
    public var pages: [String]
    /// What is wrong with it: no component offers it, or another component offers the same name.
    public var problem: String?
}

/// The outcome of an action.
///
/// A selector or a route that returns one decides which page is shown next:
///
/// ```swift
/// @Route("studio://detail")
/// func detail(id: Int64) -> ActionOutcome {
///     ActionOutcome(page: PageAddress(name: "address", values: ["id": id.payload]).id)
/// }
/// ```
@Model public struct ActionOutcome: Hashable, Sendable {
    /// The id of the page to be shown next; nil to stay on this one.
    public var page: String?
    /// The value that the selector or the route returned. A string is for the person who has performed the action.
    public var value: Payload = .null
}

extension ActionOutcome {
    /// Reads where the answer of a selector or a route leads.
    ///
    /// - Parameter answer: what was answered.
    /// - Returns: The outcome if the answer is one that names a page, or a ``Page``, which is shown then; nil for any other
    ///   answer.
    public init?(answer: Payload) {
        let keys = Set(((try? answer.entries()) ?? []).map { Array($0.key.utf8) })
        if keys == Set(["page", "value"].map { Array($0.utf8) }), let outcome: ActionOutcome = try? answer.value() {
            guard outcome.page != nil else { return nil }
            self = outcome
        } else if keys.isSuperset(of: ["id", "title", "revision", "sections"].map { Array($0.utf8) }),
            let page: Page = try? answer.value()
        {
            self.init(page: page.id)
        } else {
            return nil
        }
    }
}

/// The reason why a page cannot be shown, or an action is not performed.
@Model public enum PageError: Error, Hashable, Sendable {
    /// There is no page with this id. A module that is asked with the values of its page throws this if there is nothing
    /// with these values; the page is not shown then.
    case unknownPage(id: String, similar: String?)
    /// It is not known whether there is a page with this id: a component has not said in time which pages it brings along.
    /// It is asked again after half a minute.
    case notYetKnown(id: String)
    /// The page cannot be composed, because its file is wrong.
    case invalidPage(id: String, problem: String)
    /// The page does not take these values: one is missing, unknown, or not of its type. The reason is a sentence with the
    /// name of the value, which is empty if it is about all of them.
    case invalidPageValue(page: String, value: String, reason: String)
    /// The page shows no section with this name now.
    case unknownSection(page: String, section: String)
    /// The section does not offer this action now.
    case actionNotOffered(page: String, section: String)
    /// A value of a form is not what its field takes.
    case invalidValue(field: String, reason: String)
    /// The action was begun and failed. `forPeople` says so to the people who use the page, if the message, which is
    /// exact, is for programs and the log. A selector that throws this chooses what people are told; what it throws
    /// otherwise is not shown to them.
    case actionFailed(message: String, forPeople: String?)
    /// The page has been deleted while it was shown.
    case deleted(id: String)
}

extension PageError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .unknownPage(let id, let similar):
            "there is no page \"\(id)\"" + (similar.map { "; did you mean \"\($0)\"?" } ?? "")
        case .notYetKnown(let id): "whether there is a page \"\(id)\" is not known yet; ask again in half a minute"
        case .invalidPage(let id, let problem): "the page \"\(id)\" cannot be shown: \(problem)"
        case .invalidPageValue(let page, _, let reason): "the page \"\(page)\": \(reason)"
        case .unknownSection(let page, let section): "the page \"\(page)\" shows no section \"\(section)\""
        case .actionNotOffered(let page, let section):
            "the section \"\(section)\" of the page \"\(page)\" does not offer this action now; show the page again"
        case .invalidValue(let field, let reason): "\(field): \(reason)"
        case .actionFailed(let message, _): message
        case .deleted(let id): "the page \"\(id)\" has been deleted"
        }
    }
}
