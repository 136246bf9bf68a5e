import ComponentKit
import HostContract
import PageKit

/// How events look.
enum EventViews {
    /// Events with those who post and handle them.
    ///
    /// - Parameters:
    ///   - most: how many are shown at first.
    ///   - bytes: how long their texts may be together.
    static func events(
        _ events: [EventRow], in context: PageContext? = nil, most: Int = 200, bytes: Int = 2 << 20, empty: String
    ) -> LongTable {
        LongTable(
            ["Event", "Posted by", "Handled by", "Problems"], events, in: context, most: most, bytes: bytes,
            empty: empty, key: \.name
        ) { event in
            TableRow([
                .code(event.name.oneLine()), TableCell(event.posters.listed()),
                TableCell(event.handlers.map(text).listed()),
                TableCell(event.problems.prefix(5).joined(separator: "; ").oneLine(500)),
            ])
        }
    }

    private static func text(_ handler: EventHandlerRow) -> String {
        let marks =
            (handler.loads ? ["loads"] : []) + (handler.concurrent ? ["concurrent"] : [])
            + (handler.priority == 0 ? [] : ["priority \(handler.priority)"])
        return "\(handler.class).\(handler.selector) of \(handler.component)"
            + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
    }

    /// What was posted last.
    static func posts(_ list: PostList, in context: PageContext? = nil) -> some View {
        Stack {
            LongTable(
                ["Time", "Event", TableColumn("Handlers", alignment: .trailing), "Kept for later handlers"], list.posts,
                in: context, most: 50, empty: "Nothing has been posted since this page was first shown.",
                key: \.number.description
            ) { post in
                TableRow([
                    .time(post.time), .code(post.event.oneLine()), "\(post.handlers)", post.isSticky ? "yes" : "",
                ])
            }.key("posts")
            Text("Values are not shown, nor are the events by which pages are updated.", style: .caption).key("remark")
        }
    }
}
