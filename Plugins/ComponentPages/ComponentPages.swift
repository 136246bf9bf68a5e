import ComponentKit
import PageKit

/// Composes pages from what operators write and what the page modules of components answer.
///
/// An operator drops `home.json` into the folder `pages` of the component's data directory, and the page is there.
/// Components may bring pages along as well; see `PageSource`. No component is loaded before a page shows one of its
/// modules. A module that is missing, throws or hangs affects only its own section. Each session has its own version of
/// a page, because what modules answer may depend on who asks.
@Component(version: "1.0.0", layer: .common, posts: [PageEvent.self], configuration: PagesOptions.self)
struct ComponentPages {
    let center: PageCenter

    init(_ context: ComponentContext) throws {
        let options: PagesOptions = try context.configuration.value()
        guard (0.1...600).contains(options.timeout) else {
            throw LinkError(
                domain: "ComponentPages", number: 1,
                message: "timeout: expected 0.1 to 600 seconds, found \(options.timeout)")
        }
        guard (10...1_000_000).contains(options.kept) else {
            throw LinkError(
                domain: "ComponentPages", number: 2, message: "kept: expected 10 to 1000000, found \(options.kept)")
        }
        var folder: PageFolder?
        var noFolder: String?
        if let directory = options.directory {
            folder = PageFolder(path: directory, trustsAny: options.trustsAny)
        } else {
            do throws(LinkError) {
                let directory = try context.dataDirectory()
                folder = PageFolder(making: "\(directory)/pages", trustsAny: options.trustsAny)
            } catch {
                // A host that keeps no data has only the pages that components bring along.
                if error.domain != "hslink.data" || error.number != ComponentPages.keepsNoData {
                    noFolder = "the page files of operators are not read: \(error.message)"
                    context.link.log(.error, noFolder ?? "")
                }
            }
        }
        let timeout = Duration.seconds(options.timeout)
        center = PageCenter(
            context, PageLibrary(context.link, folder: folder, noFolder: noFolder, timeout: timeout), timeout: timeout,
            limits: PageLimits(all: options.kept))
    }

    /// `HSLINK_DATA_NONE`, the number of the error of a host without a data directory.
    private static let keepsNoData: Int32 = 1

    @On func moduleChanged(_ event: PageModuleChanged) { center.moduleChanged(event, in: .current) }

    @On func componentsChanged(_ event: ComponentsChanged) { center.componentsChanged() }

    /// Ends what waits for a change of a page, which could otherwise hold up the stop of the host.
    @On func hostWillStop(_ event: HostWillStop) { center.end() }

    func stopping() { center.end() }
}

extension ComponentContext {
    /// The pages of the component.
    fileprivate var center: PageCenter {
        get throws(LinkError) {
            guard let component = component as? ComponentPages else {
                throw LinkError(.stopped, message: "ComponentPages has been stopped")
            }
            return component.center
        }
    }
}

/// Composes pages.
@LinkClass("PagesLink", provides: (any PageService).self)
final class PagesLink: PageService {
    private let center: PageCenter

    /// How long a call for another revision waits.
    private static let patience = Duration.seconds(20)

    init(_ context: ComponentContext) throws { center = try context.center }

    func pages() async throws -> [PageSummary] { try await PageIndex(center).pages() }

    func modules() async throws -> [PageModuleSummary] { try await PageIndex(center).modules() }

    func navigation(from id: String) async throws -> PageNavigation { await center.navigation(from: id) }

    func page(id: String, after revision: Int?) async throws -> Page {
        try await center.withPage(id) { page in
            guard let revision else { return try await page.current() }
            return try await page.page(after: revision, within: PagesLink.patience)
        }
    }

    func settledPage(id: String, section: String) async throws -> Page {
        try await center.withPage(id) { try await $0.page(with: section) }
    }

    func updates(id: String) async throws -> AsyncThrowingStream<PageUpdate, any Error> {
        try await center.withPage(id) { try await $0.join().updates }
    }

    func perform(
        page: String, section: String, action: Action, values: [String: String]
    ) async throws -> ActionOutcome {
        try await PageActions(center: center).perform(action, of: section, on: page, values: values)
    }

    func refresh(id: String) async throws {
        try await center.withPage(id) { try await center.refresh($0) }
        center.post(PageEvent(.refreshed, page: id))
    }
}

/// Opens pages by URL.
@LinkClass("PageRoutes")
final class PageRoutes {
    private let pages: PagesLink

    init(_ context: ComponentContext) throws { pages = try PagesLink(context) }

    /// Returns the page as it is now.
    @Route("studio://pages/:id")
    func open(id: String) async throws -> Page { try await pages.page(id: id, after: nil) }
}

/// The pages that come with the component.
@LinkClass("HomePages", provides: (any PageSource).self)
final class HomePages: PageSource {
    private let resources: Resources

    init(_ context: ComponentContext) { resources = context.resources }

    func pages() throws -> [PageFile] { try PageFile.all(in: resources) }
}
