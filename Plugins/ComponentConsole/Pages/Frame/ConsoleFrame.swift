import ComponentKit
import PageKit

/// The frame around every page of the console.
@LinkClass
final class ConsoleFrame {
    private let host: HostReader

    init(_ context: ComponentContext) throws { host = try context.console.host }

    /// The way to the pages of the console, and back to the application's first page.
    @PageModule("console.frame")
    func frame(_ context: PageContext) async -> some View {
        FrameView.frame(of: context.page, hasHome: await host.hasPage(FrameView.home))
    }
}

/// How the frame looks.
enum FrameView {
    /// The id of the application's first page.
    static let home = "home"

    /// - Parameters:
    ///   - page: the id of the page.
    ///   - hasHome: whether the application has a first page.
    static func frame(of page: String, hasHome: Bool) -> some View {
        // The application calls the first page "Console", but here it is one among others.
        PageFrame(title: ConsolePage(rawValue: page)?.name) {
            for page in ConsolePage.allCases {
                Button(page.name, .show(page: page.rawValue)).key(page.rawValue)
            }
            if hasHome { Button("Home", .show(page: home)).key(home) }
        }
    }
}
