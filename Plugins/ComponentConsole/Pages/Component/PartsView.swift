import ComponentKit
import HostContract
import PageKit

/// How the parts of a component look.
enum PartsView {
    /// How many methods are listed at first, in all classes together, and how many are added each time.
    private static let mostSelectors = 100
    /// How often more of them can be asked for.
    private static let mostParts = 20
    /// How long the texts of a table may be: there are several on one page.
    private static let tableBytes = 200 << 10

    /// Everything that a component declares: a tab for each kind of part that it has.
    static func parts(_ parts: ComponentParts, in context: PageContext? = nil) -> some View {
        let manifest = parts.manifest
        return Tabs {
            Tab("Methods") {
                if !manifest.summary.isEmpty { Text(manifest.summary.printable(1000)).key("summary") }
                classes(manifest.classes, in: context).key("classes")
            }.key("classes")
            Tab("Needs") {
                requirements(manifest.requirements, in: context).key("requirements")
                if manifest.startsWithHost { Text("It starts with the host.", style: .caption).key("starts") }
            }.key("requirements")
            if !manifest.services.isEmpty || !manifest.models.isEmpty {
                Tab("Services and models") {
                    if !manifest.services.isEmpty { services(manifest.services, in: context).key("services") }
                    if !manifest.models.isEmpty { models(manifest.ownModelsFirst, in: context).key("models") }
                }.key("models")
            }
            if !parts.routes.routes.isEmpty || !parts.routes.refused.isEmpty {
                Tab("Routes") {
                    RouteViews.used(
                        parts.routes.routes, in: context, most: 50, bytes: tableBytes,
                        empty: "None of its routes is used."
                    ).key("used")
                    if !parts.routes.refused.isEmpty {
                        Card("Routes that are not used") {
                            RouteViews.refused(parts.routes.refused, bytes: tableBytes)
                        }.key("refused")
                    }
                }.key("routes")
            }
            if !parts.events.isEmpty {
                Tab("Events") {
                    EventViews.events(parts.events, in: context, most: 50, bytes: tableBytes, empty: "").key("events")
                }.key("events")
            }
            if !parts.pageModules.isEmpty {
                Tab("Pages") { pageModules(parts.pageModules, in: context).key("modules") }.key("pages")
            }
            if !parts.resources.isEmpty {
                Tab("Resources") { resources(parts.resources, in: context).key("resources") }.key("resources")
            }
            if let configuration = parts.configuration, !configuration.keys.isEmpty {
                Tab("Configuration") { self.configuration(configuration, in: context).key("configuration") }
                    .key("configuration")
            }
        }
    }

    // MARK: - Classes

    private static func classes(_ classes: [DeclaredClass], in context: PageContext?) -> some View {
        let parts = min(max(context?.parts ?? 1, 1), mostParts)
        var left = parts * mostSelectors
        var room = 3 * tableBytes
        let isCut = classes.reduce(0) { $0 + max($1.selectors.count, 1) } > left
        var keys = SiblingKeys()
        var cards: [Card] = []
        for item in classes where left > 0 && room > 0 {
            cards.append(card(item, left: &left, room: &room).key(keys.key(item.name)))
        }
        let more = isCut && room > 0 && parts < mostParts ? context?.more() : nil
        let omitted = classes.count - cards.count
        return Stack {
            if classes.isEmpty { Placeholder("It declares no methods.").key(keys.key("empty")) }
            cards
            if omitted > 0, more == nil {
                let verb = omitted == 1 ? "is" : "are"
                Text("\(omitted) more \(verb) not listed.", style: .caption).key(keys.key("more"))
            }
        }.side(more)
    }

    private static func card(_ item: DeclaredClass, left: inout Int, room: inout Int) -> Card {
        let most = min(max(item.selectors.count, 1), left)
        left -= most
        let remarks = [
            item.instances == "perCall" ? "A new instance for each call." : nil,
            item.instances == "perConsumer" ? "An instance for each component that calls it." : nil,
            item.provides.isEmpty ? nil : "It provides \(item.provides.listed()).",
        ].compactMap(\.self)
        let table = LongTable(
            ["Method", "What it does", "For"], item.selectors, most: most, bytes: room,
            empty: "It declares no methods.",
            key: \.label
        ) { selector in
            TableRow([
                .code(selector.signature.oneLine(500)), TableCell(selector.summary.oneLine(300)),
                TableCell(use(of: selector)),
            ])
        }
        room -= table.textBytes
        return Card(item.name.oneLine(), subtitle: item.summary.isEmpty ? nil : item.summary.printable(500)) {
            if !remarks.isEmpty { Text(remarks.joined(separator: " "), style: .caption).key("remarks") }
            table.key("selectors")
        }
    }

    private static func use(of selector: DeclaredSelector) -> String {
        switch selector.role {
        case .callable: selector.routes.isEmpty ? "" : "also URLs: \(selector.routes.listed(most: 3))"
        case .handler(let event): "the event \(event.oneLine())"
        case .pageModule(let name): "the page module \(name.oneLine())"
        case .interceptor: "routes, before they are opened"
        }
    }

    // MARK: - Other parts

    private static func requirements(
        _ requirements: [DeclaredRequirement], in context: PageContext?
    ) -> LongTable {
        LongTable(
            ["Requirement", "Optional"], requirements, in: context, most: 50, bytes: tableBytes,
            empty: "It needs nothing.", key: \.subject
        ) {
            TableRow([.code($0.subject.oneLine(300)), $0.isOptional ? "yes" : ""])
        }
    }

    private static func services(_ services: [DeclaredService], in context: PageContext?) -> LongTable {
        LongTable(
            ["Service", "Methods"], services, in: context, most: 50, bytes: tableBytes, empty: "", key: \.name
        ) { service in
            TableRow([.code(service.name.oneLine()), .code(service.selectors.map(\.signature).listed())])
        }
    }

    private static func models(_ models: [DeclaredModel], in context: PageContext?) -> LongTable {
        LongTable(
            ["Model", "Module", "Kind", "Values"], models, in: context, most: 50, bytes: tableBytes, empty: "",
            key: \.identity
        ) { model in
            let kinds = [
                model.isError ? "error" : nil, model.event.isEmpty ? nil : "event \(model.event)",
            ].compactMap(\.self)
            return TableRow([
                .code(model.name.oneLine()), TableCell(model.module.oneLine(120)), TableCell(kinds.listed()),
                .code(model.summary.oneLine(500)),
            ])
        }
    }

    private static func pageModules(_ modules: [PageModuleRow], in context: PageContext?) -> LongTable {
        LongTable(
            ["Page module", "Kind", "Data", "Problem"], modules, in: context, most: 50, bytes: tableBytes, empty: "",
            key: \.name
        ) { module in
            TableRow([
                .code(module.name.oneLine()), module.condition ? "condition" : "view",
                .code(module.data.map { "\($0.name): \($0.type)" }.listed()),
                TableCell((module.problem ?? "").oneLine(300)),
            ])
        }
    }

    private static func resources(_ resources: [ResourceRow], in context: PageContext?) -> LongTable {
        LongTable(
            ["File", TableColumn("Bytes", alignment: .trailing), "Problem"], resources, in: context, most: 50,
            bytes: tableBytes, empty: "", key: \.name
        ) { file in
            TableRow([
                .code(file.name.oneLine(500)), TableCell(file.size.map { "\($0)" } ?? "–"),
                TableCell((file.problem ?? "").oneLine(500)),
            ])
        }
    }

    /// Without values: they may be private, and who sees a page need not be who operates the host.
    private static func configuration(
        _ configuration: ConfigurationSectionRow, in context: PageContext?
    ) -> some View {
        Stack {
            LongTable(
                ["Key", "Type", "From"], configuration.keys, in: context, most: 50, bytes: tableBytes, empty: "",
                key: \.key
            ) { row in
                TableRow([
                    .code(row.key.oneLine()), .code((row.type ?? "").oneLine()),
                    TableCell((row.from ?? "").oneLine(300).orDash),
                ])
            }.key("keys")
            for (index, error) in configuration.errors.prefix(10).enumerated() {
                Text(error.printable(500), style: .failure).key("error \(index)")
            }
            for (index, warning) in configuration.warnings.prefix(10).enumerated() {
                Text(warning.printable(500), style: .warning).key("warning \(index)")
            }
            Text("To see the values, use hslink config.", style: .caption).key("remark")
        }
    }
}
