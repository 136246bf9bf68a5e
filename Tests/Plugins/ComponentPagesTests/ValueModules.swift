import ComponentKit
import PageKit

/// Which item a page is about. ComponentOwner, which is in the same test program, has another model of this name.
@Model
struct ItemValues: Sendable {
    var id: Int64
    var note: String?
    var tags: [String] = []
}

/// Page modules that receive the values of their page.
@LinkClass("ValueModules")
final class ValueModules {
    /// The items that are gone. Each test has items of its own.
    static let gone = Lock<Set<Int64>>([404])
    /// How often each page has asked.
    static let questions = Lock<[String: Int]>([:])

    init(_ context: ComponentContext) {}

    @PageModule("test.item")
    func item(_ context: PageContext, data: ItemValues) throws -> some View {
        ValueModules.questions.withLock { $0[context.page, default: 0] += 1 }
        if ValueModules.gone.withLock({ $0.contains(data.id) }) {
            throw PageError.unknownPage(id: context.page, similar: nil)
        }
        let words = [data.note].compactMap(\.self) + data.tags
        return Text("\(data.id) \(words.joined(separator: ",")) on \(context.page)")
            .side(.call("deleteItem", ["id": data.id.payload], title: "Delete", confirm: "Delete it?"))
    }

    @PageModule("test.items")
    func items(_ context: PageContext) -> some View {
        List {
            Row("item").key("item").action(.show(page: "item", ["id": context.section.payload]))
            Row("nobody").key("404").action(.open("test://detail?id=404"))
        }
    }

    @PageModule("test.item-frame")
    func frame(_ context: PageContext, data: ItemValues) throws -> some View {
        if data.id == 405 { throw PageError.unknownPage(id: context.page, similar: nil) }
        return PageFrame(title: "Item \(data.id)") { Text(context.page) }
    }

    @PageModule("test.any-frame")
    func anyFrame(_ context: PageContext, data: ItemValues?) -> some View {
        PageFrame(title: data.map { "Item \($0.id)" } ?? "No item") { Text(context.page) }
    }

    @PageModule("test.is-item-large")
    func isLarge(_ context: PageContext, data: ItemValues) -> Bool { data.id > 100 }

    @Selector func deleteItem(id: Int64) -> ActionOutcome {
        ValueModules.gone.withLock { _ = $0.insert(id) }
        return ActionOutcome(page: "items", value: "gone")
    }

    @Route("test://detail")
    func detail(id: Int64) -> ActionOutcome {
        ActionOutcome(page: PageAddress(name: "item", values: ["id": id.payload]).id)
    }
}
