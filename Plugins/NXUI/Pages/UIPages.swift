import ComponentKit
import NXKit
import PageKit

/// What a page file gives to a dialog.
@Model
struct DialogOptions: Sendable {
    /// What it is about.
    var title: String
    /// What there is to say; line breaks are kept.
    var message: String = ""
    /// The name of an icon.
    var icon: String?
    /// What leads on. The first is what people choose most often.
    var buttons: [DialogButton] = []
}

/// A button of a dialog.
@Model
struct DialogButton: Sendable {
    /// The text on it.
    var title: String
    /// The id of the page that it leads to. While there is no such page, the button is left out.
    var page: String
}

/// What pages share: the frame around them, and dialogs.
@LinkClass
final class UIPages {
    private let pages: ServiceFinder<PageServiceClient>

    init(_ context: ComponentContext) { pages = ServiceFinder(context.link) }

    /// The way to the pages that exist, around the sections of a page.
    @PageModule("ui.frame")
    func frame(_ context: PageContext) async -> some View {
        UIViews.frame(await ask { try await $0.navigation(from: context.page) })
    }

    /// Something to say, and what leads on from there.
    @PageModule("ui.dialog")
    func dialog(_ context: PageContext, data: DialogOptions) async -> some View {
        guard !data.buttons.isEmpty else { return UIViews.dialog(data, with: []) }
        let names = await ask { try await $0.pages() }?.filter { !$0.title.isEmpty }.map { Array($0.id.utf8) } ?? []
        let buttons = data.buttons.filter { button in
            PageAddress(button.page).map { names.contains(Array($0.name.utf8)) } ?? false
        }
        return UIViews.dialog(data, with: buttons)
    }

    /// Asks the component that composes pages.
    ///
    /// - Returns: nil if there is none, or if it fails.
    private func ask<Value>(_ question: (PageServiceClient) async throws -> Value) async -> Value? {
        do {
            return try await question(try await pages.client())
        } catch {
            pages.forget()
            return nil
        }
    }
}
