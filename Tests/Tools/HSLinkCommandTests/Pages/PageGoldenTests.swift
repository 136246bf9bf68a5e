import ComponentKit
import PageKit
import Testing

@testable import hslink

@Suite("PageText: a whole page")
struct PageGoldenTests {
    private static let page = Page(
        id: "home", title: "Home", revision: 7,
        frame: PageSection(
            name: "frame", module: "member.frame", component: "EMAccount", state: .shown,
            layout: SectionLayout(),
            view: PageFrame(title: "Welcome, Ada") {
                [Button("Films", .show(page: "films")), Button("Sign out", .call("signOut"))]
            }
            .header { Text("Signed in as ada@example.com.", style: .caption) }
            .footer { Hyperlink("Help", to: "https://example.com/help") }.node),
        sections: [
            PageSection(
                name: "addresses", module: "owner.addresses", component: "ComponentOwner", title: "Addresses",
                state: .shown, layout: SectionLayout(),
                view: Stack {
                    List(empty: "No addresses yet.") {
                        for (id, label, city) in [(7, "Home", "Oslo"), (42, "Summer house by the sea", "Lofoten")] {
                            Row(label, detail: city, badge: id == 7 ? "main" : nil).key(id)
                                .action(.open("studio://owner/address/\(id)"))
                                .side(
                                    .call(
                                        "delete", ["id": Payload(id)], title: "Delete", confirm: "Delete \(label)?"))
                        }
                    }
                    Form("Add", .call("add"), title: "New address") {
                        Field("label", "Label", .text(longest: 40)).required()
                        Field("city", "City", .text(longest: 80), value: "Oslo")
                    }
                }.node),
            PageSection(
                name: "figures", module: "system.figures", component: "NXService", title: "Figures", state: .shown,
                layout: SectionLayout(),
                view: Grid(columns: 2) {
                    Card("Storage") {
                        ProgressBar("Used", fraction: 0.62)
                        Stat("Films", "128", change: "+3")
                    }
                    Chart(
                        .bar, title: "Views", labels: ["Mon", "Tue", "Wed"],
                        [ChartSeries(name: "views", values: [12, 30, 21.5])])
                }.node),
            PageSection(
                name: "films", module: "video.list", component: "ComponentVideo", title: "Films", state: .failed,
                layout: SectionLayout(),
                view: Failure("The films cannot be shown.", advice: "Try again later.").node),
            PageSection(
                name: "notes", module: "owner.notes", title: "Notes", state: .shown,
                layout: SectionLayout(isFolded: true), view: Text("…").node),
        ])

    @Test("it looks like this")
    func golden() {
        let text = PageText(
            terminal: Terminal(width: 76, hasColor: false),
            commands: PageCommands(page: "home", options: ["--host", "hslink.sock"]))
        #expect(text.lines(of: Self.page).joined(separator: "\n") == Self.expected)
    }

    private static let expected = """
        Welcome, Ada
        ════════════

        [Films]  → hslink page films --host hslink.sock
        [Sign out]
          → hslink page home --perform frame/navigation/signOut --host hslink.sock

        Signed in as ada@example.com.

        ── Addresses ───────────────────────────────────────────────────────────────
        • Home  Oslo (main)
            → hslink open studio://owner/address/7 --host hslink.sock
            → Delete: hslink page home --perform addresses/7/delete \\
                --host hslink.sock
        • Summer house by the sea  Lofoten
            → hslink open studio://owner/address/42 --host hslink.sock
            → Delete: hslink page home --perform addresses/42/delete \\
                --host hslink.sock

        New address
          Label:
            label=  text of at most 40 characters, required
          City: Oslo
            city=  text of at most 80 characters
          [Add]
            → hslink page home --perform addresses/add --host hslink.sock label=

        ── Figures ─────────────────────────────────────────────────────────────────
        ┌─ Storage ────────────────────────┐   Views
        │ Used  ████████████░░░░░░░░ 62 %  │   Mon ███████████ 12
        │ Films: 128 (+3)                  │   Tue ███████████████████████████ 30
        └──────────────────────────────────┘   Wed ███████████████████ 21.5

        ── Films (failed) ──────────────────────────────────────────────────────────
        ✗ The films cannot be shown.
          Try again later.

        ── Notes (folded) ──────────────────────────────────────────────────────────

        Help <https://example.com/help>
        """
}
