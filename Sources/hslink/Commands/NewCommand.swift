import ArgumentParser

/// `hslink new`: a folder to begin with.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a folder with a component, or a host, that builds as it is.",
        discussion: """
            EXAMPLES:
              hslink new component Weather
              hslink new host Desk

            STATUS: 0 when the folder was made, 1 when not, 64 for a wrong command line, 128 and the number of the signal \
            that ended it.
            """,
        subcommands: [NewComponentCommand.self, NewHostCommand.self])
}

/// `hslink new component`: in Swift, C, C++ or Rust.
struct NewComponentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "component",
        abstract: "Makes a folder with a component that builds as it is, with tests.",
        discussion: """
            EXAMPLES:
              hslink new component Weather
              hslink new component Weather --contract --path components
              hslink new component Weather --url https://example.com/hslink.git --from 1.0.0
              hslink new component Weather --c

            A component in Swift is a package that depends on HSLink. One in C, C++ or Rust is a file and a Makefile, \
            with a copy of the contract beside them (include/): the folder stands alone.

            The class that others call has the component's name with 'Link' behind it, unless that ends so.

            The folder appears whole or not at all. An empty one may be there already.

            STATUS: 0 when the folder was made, 1 when not, 64 for a wrong command line, 128 and the number of the signal \
            that ended it.
            """)

    /// What the component is written in.
    enum Language: String, EnumerableFlag {
        case c, cxx, rust
    }

    @OptionGroup var scaffold: ScaffoldOptions

    @Flag(help: "In another language than Swift.")
    var language: Language?

    @Flag(
        help: ArgumentHelp(
            "With a contract that the component provides: a target with a service and a model.",
            discussion: "Consumers compile it in, and know nothing else of the component."))
    var contract = false

    func validate() throws {
        guard let language else { return }
        if contract { throw ValidationError("--contract is for components in Swift, not with --\(language.rawValue)") }
        if scaffold.url != nil {
            throw ValidationError(
                "--url is for components in Swift; with --\(language.rawValue), --hslink tells where the contract lies")
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
        let made = Scaffold.swiftComponent(
            name, source, hasContract: contract, pins: ScaffoldOptions.pins(of: source),
            call: "hslink \(words) .build/debug")
        try scaffold.make(made, "a component in Swift with the class \(name.linkClass)") { folder in
            ["swift build --package-path \(folder)", "\(ProgramPlace.command) \(words) \(folder)/.build/debug"]
        }
    }
}

/// `hslink new host`: a program in Swift.
struct NewHostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Makes a folder with a program that hosts components, and builds as it is, with tests.",
        discussion: """
            EXAMPLES:
              hslink new host Desk
              hslink new host Desk --url https://example.com/hslink.git --from 1.0.0

            The program shows the components of a directory and calls a selector; it has a link class of its own, which \
            its components may call.

            The folder appears whole or not at all. An empty one may be there already.

            STATUS: 0 when the folder was made, 1 when not, 64 for a wrong command line, 128 and the number of the signal \
            that ended it.
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
