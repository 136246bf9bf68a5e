import ComponentKit
import PageKit
import SystemSupport

/// The commands that do on a command line what the actions of a page do.
struct PageCommands {
    /// The name of the page.
    let page: String
    /// The options that lead to the same host, quoted for a shell.
    let options: [String]

    /// Returns the command for an action.
    ///
    /// - Parameters:
    ///   - section: the actions of the section; nil if the view is not on a page, and only what needs none has a command.
    ///   - keys: the keys of the view and of those around it.
    ///   - fields: the fields whose values the action takes.
    /// - Returns: The words, quoted for a shell; nil if there is no command.
    func words(
        for action: Action, in section: SectionActions?, keys: [String], fields: [FieldContent]
    ) -> [String]? {
        switch action.effect {
        case .open(let url): return PageCommands.command("open", options: options, [url.visible])
        case .show(let page): return PageCommands.command("page", options: options, [page.escaped])
        case .call, .refresh:
            guard let section else { return nil }
            let address = section.address(of: action, keys: keys, fields: fields).text
            return PageCommands.command(
                "page", options: ["--perform", address.quotedForShell] + options,
                [page.escaped] + fields.compactMap(PageCommands.argument))
        }
    }

    /// Returns the argument for a field that has to be filled in. The value is left empty, so that a command that was
    /// only copied is refused.
    private static func argument(for field: FieldContent) -> String? {
        if case .password = field.kind { return "\(field.name.escaped)=@?" }
        let isOpen = field.kind == .toggle ? field.writtenValue != "on" : field.value.isNull
        return field.isRequired && isOpen ? "\(field.name.escaped)=" : nil
    }

    private static func command(_ name: String, options: [String], _ arguments: [String]) -> [String] {
        let quoted = arguments.map(\.quotedForShell)
        // What begins with a dash counts as an argument only after two of them.
        guard !arguments.contains(where: { $0.hasExactPrefix("-") }) else {
            return ["hslink", name] + options + ["--"] + quoted
        }
        return ["hslink", name] + quoted.prefix(1) + options + quoted.dropFirst()
    }
}

extension String {
    /// The URL with everything percent-encoded that could mislead a terminal.
    fileprivate var visible: String {
        unicodeScalars.reduce(into: "") { result, scalar in
            let text = String(scalar)
            result += text.escaped == text ? text : scalar.percentEncoded
        }
    }
}

extension HostPlace {
    /// The options for a command, quoted for a shell.
    var optionWords: [String] {
        switch self {
        case .socket(let path): ["--host", path.quotedForShell]
        case .directories(let paths): paths.flatMap { ["--plugins", $0.quotedForShell] }
        }
    }
}
