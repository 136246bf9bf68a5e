import ComponentKit
import HostContract
import PageKit

/// How the parts of a component look.
enum PartsView {
    /// The most methods that are listed, in all classes together.
    private static let mostSelectors = 300
    private static let mostClasses = 100

    /// Everything that a component declares, a tab for each kind of part.
    static func parts(_ parts: ComponentParts) -> some View {
        let manifest = parts.manifest
        return Tabs {
            Tab("Classes") {
                if !manifest.summary.isEmpty { Text(manifest.summary.printable(1000)).key("summary") }
                classes(manifest.classes).key("classes")
            }.key("classes")
            Tab("Needs") {
                requirements(manifest.requirements).key("requirements")
                if manifest.startsWithHost { Text("It starts with the host.", style: .caption).key("starts") }
            }.key("requirements")
            Tab("Services and models") {
                services(manifest.services).key("services")
                models(manifest.ownModelsFirst).key("models")
            }.key("models")
            Tab("Routes") {
                RouteViews.used(parts.routes.routes, most: 100, empty: "It has no routes.").key("used")
                if !parts.routes.refused.isEmpty {
                    Card("Routes that are not used") { RouteViews.refused(parts.routes.refused) }.key("refused")
                }
            }.key("routes")
            Tab("Events") {
                EventViews.events(parts.events, most: 100, empty: "It posts and handles no events.").key("events")
            }.key("events")
            Tab("Pages") { pageModules(parts.pageModules).key("modules") }.key("pages")
            Tab("Resources") { resources(parts.resources).key("resources") }.key("resources")
            Tab("Configuration") { configuration(parts.configuration).key("configuration") }.key("configuration")
        }
    }

    // MARK: - Classes

    private static func classes(_ classes: [DeclaredClass]) -> some View {
        var keys = SiblingKeys()
        var left = mostSelectors
        return Stack {
            if classes.isEmpty { Placeholder("It declares no classes.").key(keys.key("empty")) }
            for item in classes.prefix(mostClasses) {
                card(item, &left).key(keys.key(item.name))
            }
            if classes.count > mostClasses {
                Text("There are \(classes.count - mostClasses) more.", style: .caption).key(keys.key("more"))
            }
        }
    }

    private static func card(_ item: DeclaredClass, _ left: inout Int) -> Card {
        let most = min(item.selectors.count, left)
        left -= most
        let remarks = [
            item.instances == "perCall" ? "A new instance for each call." : nil,
            item.instances == "perConsumer" ? "An instance for each component that calls it." : nil,
            item.provides.isEmpty ? nil : "It provides \(item.provides.listed()).",
        ].compactMap(\.self)
        return Card(item.name.oneLine(), subtitle: item.summary.isEmpty ? nil : item.summary.printable(500)) {
            if !remarks.isEmpty { Text(remarks.joined(separator: " "), style: .caption).key("remarks") }
            LongTable(
                ["Method", "For", "What it does"], item.selectors, most: most, empty: "It declares no methods.",
                key: \.label
            ) { selector in
                TableRow([selector.signature.oneLine(500), use(of: selector), selector.summary.oneLine(300)])
            }.key("selectors")
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

    private static func requirements(_ requirements: [DeclaredRequirement]) -> LongTable {
        LongTable(["Requirement", "Optional"], requirements, empty: "It needs nothing.", key: \.subject) {
            TableRow([$0.subject.oneLine(300), $0.isOptional ? "yes" : ""])
        }
    }

    private static func services(_ services: [DeclaredService]) -> LongTable {
        LongTable(
            ["Service", "Methods"], services, most: 100, empty: "It knows no services.", key: \.name
        ) { service in
            TableRow([service.name.oneLine(), service.selectors.map(\.signature).listed()])
        }
    }

    private static func models(_ models: [DeclaredModel]) -> LongTable {
        LongTable(
            ["Model", "Module", "Remark", "Values"], models, most: 100, empty: "It declares no models.",
            key: \.identity
        ) { model in
            let remarks = [
                model.isError ? "error" : nil, model.event.isEmpty ? nil : "event \(model.event)",
            ].compactMap(\.self)
            return TableRow([
                model.name.oneLine(), model.module.oneLine(120), remarks.listed(), model.summary.oneLine(500),
            ])
        }
    }

    private static func pageModules(_ modules: [PageModuleRow]) -> LongTable {
        LongTable(
            ["Page module", "Kind", "Data", "Problem"], modules, most: 100, empty: "It offers no page modules.",
            key: \.name
        ) { module in
            TableRow([
                module.name.oneLine(), module.condition ? "condition" : "view",
                module.data.map { "\($0.name): \($0.type)" }.listed(), (module.problem ?? "").oneLine(300),
            ])
        }
    }

    private static func resources(_ resources: [ResourceRow]) -> LongTable {
        LongTable(
            ["File", TableColumn("Bytes", alignment: .trailing), "Problem"], resources, most: 100,
            empty: "It has no resources.", key: \.name
        ) { file in
            TableRow([file.name.oneLine(500), file.size.map { "\($0)" } ?? "–", (file.problem ?? "").oneLine(500)])
        }
    }

    /// Without values: they may be private, and who sees a page need not be who operates the host.
    private static func configuration(_ configuration: ConfigurationSectionRow?) -> some View {
        Stack {
            if let configuration, !configuration.keys.isEmpty {
                LongTable(["Key", "Type", "From"], configuration.keys, most: 100, empty: "", key: \.key) { row in
                    TableRow([
                        row.key.oneLine(), (row.type ?? "").oneLine(), (row.from ?? "").oneLine(300).orDash,
                    ])
                }.key("keys")
                for (index, error) in configuration.errors.prefix(10).enumerated() {
                    Text(error.printable(500), style: .failure).key("error \(index)")
                }
                for (index, warning) in configuration.warnings.prefix(10).enumerated() {
                    Text(warning.printable(500), style: .warning).key("warning \(index)")
                }
                Text("'hslink config' shows the values.", style: .caption).key("remark")
            } else {
                Placeholder("It reads no configuration.").key("empty")
            }
        }
    }
}
