import ArgumentParser

/// `hslink new`: creates a folder to start from.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Creates a folder with a component or a host that builds without changes.",
        discussion: """
            EXAMPLES:
              hslink new component Weather
              hslink new host Desk

            STATUS: 0 when the folder was created, 1 when not, or when its files could not be listed, 64 for a wrong \
            command line, 128 plus the number of the signal that ended it.
            """,
        subcommands: [NewComponentCommand.self, NewHostCommand.self])
}

/// `hslink new component`: creates a component in Swift, C, C++ or Rust.
struct NewComponentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "component",
        abstract: "Creates a folder with a component that builds without changes, and its tests.",
        discussion: """
            EXAMPLES:
              hslink new component Weather
              hslink new component Weather --contract --path components
              hslink new component Weather --bridge
              hslink new component Weather --url https://example.com/hslink.git --from 1.0.0
              hslink new component Weather --c

            A component in Swift is a package that depends on HSLink. A component in C, C++ or Rust is a source file, \
            a Makefile and a copy of the contract (include/), so the folder depends on nothing else.

            The link class is named after the component with 'Link' appended, unless the name already ends in 'Link'.

            The folder is created complete or not at all. An existing empty folder is replaced.

            STATUS: 0 when the folder was created, 1 when not, or when its files could not be listed, 64 for a wrong \
            command line, 128 plus the number of the signal that ended it.
            """)

    /// The language of a component that is not written in Swift.
    enum Language: String, EnumerableFlag {
        case c, cxx, rust
    }

    @OptionGroup var scaffold: ScaffoldOptions

    @Flag(help: "Use this language instead of Swift.")
    var language: Language?

    @Flag(
        help: ArgumentHelp(
            "Add a contract that the component provides: a target with a service and a model.",
            discussion: "Consumers compile in the contract and need nothing else from the component."))
    var contract = false

    @Flag(
        help: ArgumentHelp(
            "Give the component a subclass of HSLinkClass, for a program that has one too.",
            discussion: "What the component provides is in Providing.swift, what it requires of the program in "
                + "Requiring.swift. There is no contract."))
    var bridge = false

    func validate() throws {
        if contract && bridge { throw ValidationError("expected --contract or --bridge, found both") }
        guard let language else { return }
        for (option, isGiven) in [("--contract", contract), ("--bridge", bridge)] where isGiven {
            throw ValidationError("\(option) applies to Swift only, not to --\(language.rawValue)")
        }
        if scaffold.url != nil {
            throw ValidationError(
                "--url applies to Swift only; with --\(language.rawValue), use --hslink to locate the contract")
        }
    }

    func run() throws {
        let name = scaffold.name
        guard let language else { return try makePackage(name) }
        let words = "call \(name.linkClass) greet name=Ada --class-method --plugins"
        let call = "hslink \(words) .build"
        let made: (language: String, scaffold: Scaffold)
        do throws(ScaffoldError) {
            let files = try ContractFiles(package: scaffold.packagePath)
            made =
                switch language {
                case .c, .cxx:
                    (
                        language == .c ? "C" : "C++",
                        .cComponent(name, isCxx: language == .cxx, headers: files.headers, call: call)
                    )
                case .rust: ("Rust", .rustComponent(name, contract: files.rust, call: call))
                }
        } catch {
            Output.error(error.message)
            throw ExitCode.failure
        }
        try scaffold.make(made.scaffold, "a component in \(made.language) with the class \(name.linkClass)") { folder in
            ["make -C \(folder)", "\(ProgramPlace.command) \(words) \(folder)/.build"]
        }
    }

    private func makePackage(_ name: ScaffoldName) throws {
        let source = try scaffold.source()
        let words = "call \(name.linkClass) greet name=Ada --plugins"
        let interface: Scaffold.SwiftInterface =
            contract ? .contract("\(name.text)Contract") : bridge ? .bridge : .names
        let made = Scaffold.swiftComponent(
            name, source, interface: interface, pins: ScaffoldOptions.pins(of: source),
            call: "hslink \(words) .build/debug")
        try scaffold.make(made, "a component in Swift with the class \(name.linkClass)") { folder in
            ["swift build --package-path \(folder)", "\(ProgramPlace.command) \(words) \(folder)/.build/debug"]
        }
    }
}

/// `hslink new host`: creates a host program in Swift.
struct NewHostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Creates a folder with a host program that builds without changes, and its tests.",
        discussion: """
            EXAMPLES:
              hslink new host Desk
              hslink new host Desk --url https://example.com/hslink.git --from 1.0.0

            The program lists the components in a directory and calls a selector. It has its own link class, which \
            components may call.

            The folder is created complete or not at all. An existing empty folder is replaced.

            STATUS: 0 when the folder was created, 1 when not, or when its files could not be listed, 64 for a wrong \
            command line, 128 plus the number of the signal that ended it.
            """)

    @OptionGroup var scaffold: ScaffoldOptions

    func run() throws {
        let name = scaffold.name
        let source = try scaffold.source()
        let made = Scaffold.host(name, source, pins: ScaffoldOptions.pins(of: source))
        try scaffold.make(made, "a host in Swift") { folder in
            [
                "swift build --package-path \(folder)",
                "\(folder)/.build/debug/\(name.text) \(folder)/components \(name.text)Home name",
            ]
        }
    }
}
