import ArgumentParser

/// `hslink new`: creates a folder to start from.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Creates a folder with a component, a contract, a host or all of them, which builds as it is.",
        discussion: """
            EXAMPLES:
              hslink new component Weather
              hslink new workspace Desk
              hslink new contract Weather
              hslink new host Desk

            Parts that one team builds belong in a workspace, which is one package: swift-syntax and the libraries of \
            HSLink are compiled once for all of them. Parts that separate teams build are packages of their own, and \
            meet in a contract.

            STATUS: 0 when the folder was created, 1 when not, or when its files could not be listed, 64 for a wrong \
            command line, 128 plus the number of the signal that ended it.
            """,
        subcommands: [
            NewComponentCommand.self, NewContractCommand.self, NewWorkspaceCommand.self, NewHostCommand.self,
        ])
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
              hslink new component Weather --provides WeatherContract
              hslink new component Travel --uses WeatherContract
              hslink new component Weather --url https://example.com/hslink.git --from 1.0.0
              hslink new component Weather --c
              hslink new component Weather --c --provides plugins/libForecasts.so

            A component in Swift is a package that depends on HSLink. A component in C, C++ or Rust is a source file, \
            a Makefile and a copy of the contract (include/), so the folder depends on nothing else.

            The link class is named after the component with 'Link' appended, unless the name already ends in 'Link'.

            In Swift, --provides and --uses depend on a contract in a package of its own, and have the code for a service as \
            'hslink new contract' makes it. The package takes HSLink from the same place as the contract: SwiftPM \
            refuses two places in one build.

            In C and C++, --provides reads the contract from a component that was compiled with it, as a provider or as a \
            consumer, or from what 'hslink inspect --json' printed about one. The source has the manifest and a function \
            for each selector, which reads its parameters and answers with a sample.

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

    @Option(
        help: ArgumentHelp(
            "Provide this contract: in Swift the folder of its package; with --c or --cxx a file that has it, or '-' for "
                + "JSON from standard input.",
            valueName: "contract"),
        completion: .file())
    var provides: String?

    @Option(help: ArgumentHelp("The service, if the file for --provides has several.", valueName: "name"))
    var service: String?

    @Option(
        help: ArgumentHelp("Use the contract in this folder, a package of its own.", valueName: "dir"),
        completion: .directory)
    var uses: String?

    /// Whether the component is written from a contract that is no package.
    private var readsContract: Bool { language == .c || language == .cxx }

    func validate() throws {
        let interfaces = [
            ("--contract", contract), ("--bridge", bridge), ("--provides", provides != nil), ("--uses", uses != nil),
        ].filter(\.1).map(\.0)
        if interfaces.count > 1 { throw ValidationError("expected \(interfaces[0]) or \(interfaces[1]), found both") }
        if service != nil && (provides == nil || !readsContract) {
            throw ValidationError("--service needs --provides, and --c or --cxx")
        }
        guard let language else { return }
        for option in interfaces where !(option == "--provides" && readsContract) {
            let languages = option == "--provides" ? "Swift, C and C++" : "Swift"
            throw ValidationError("\(option) applies to \(languages) only, not to --\(language.rawValue)")
        }
        if scaffold.url != nil {
            throw ValidationError(
                "--url applies to Swift only; with --\(language.rawValue), use --hslink to locate the contract")
        }
    }

    func run() throws {
        let name = scaffold.name
        guard let language else { return try makePackage(name) }
        var called: String? = "\(name.linkClass) greet name=Ada --class-method"
        let made: (language: String, scaffold: Scaffold)
        do throws(ScaffoldError) {
            let files = try ContractFiles(package: scaffold.packagePath)
            var provider: ProviderSource?
            if let provides {
                let contract = try ProvidedContract(provides, service: service)
                let source = ProviderSource(name, contract, isCxx: language == .cxx)
                (provider, called) = (source, source.call)
            }
            let call = NewComponentCommand.command(called, name, in: ".build")
            made =
                switch language {
                case .c, .cxx:
                    (
                        language == .c ? "C" : "C++",
                        .cComponent(
                            name, isCxx: language == .cxx, headers: files.headers, provider: provider,
                            call: "hslink \(call)")
                    )
                case .rust:
                    ("Rust", .rustComponent(name, contract: files.rust, headers: files.headers, call: "hslink \(call)"))
                }
        } catch {
            Output.error(error.message)
            throw ExitCode.failure
        }
        try scaffold.make(made.scaffold, "a component in \(made.language) with the class \(name.linkClass)") { folder in
            [
                "make -C \(folder)",
                "\(ProgramPlace.command) \(NewComponentCommand.command(called, name, in: "\(folder)/.build"))",
            ]
        }
    }

    /// Returns the words after `hslink` that call a component in a folder, or show it if nothing can be called.
    static func command(_ called: String?, _ name: ScaffoldName, in folder: String) -> String {
        called.map { "call \($0) --plugins \(folder)" } ?? "inspect \(folder)/lib\(name.text).so"
    }

    private func makePackage(_ name: ScaffoldName) throws {
        let source = try scaffold.source()
        let words = "call \(name.linkClass) greet name=Ada --plugins"
        let interface = try interface(source)
        let made = Scaffold.swiftComponent(
            name, source, interface: interface, pins: ScaffoldOptions.pins(of: source),
            call: "hslink \(words) .build/debug")
        try scaffold.make(made, "a component in Swift with the class \(name.linkClass)") { folder in
            let build = "swift build --package-path \(folder)"
            // Without a provider beside it, the component is not loaded; its tests have one.
            if uses != nil { return [build, "swift test --package-path \(folder)"] }
            return [build, "\(ProgramPlace.command) \(words) \(folder)/.build/debug"]
        }
    }

    /// Returns how others call the component.
    ///
    /// - Throws: a ``UsageError`` if there is no such contract.
    private func interface(_ source: PackageSource) throws(UsageError) -> Scaffold.SwiftInterface {
        guard let folder = provides ?? uses else {
            return contract ? .contract("\(scaffold.name.text)Contract") : bridge ? .bridge : .names
        }
        let other = try ContractPackage(folder, for: (try? scaffold.target()) ?? "/")
        if !other.shares(source) {
            Output.note(
                "Warning: \(other.path.escaped)/Package.swift seems to take HSLink from another place than this package "
                    + "will, which SwiftPM refuses; give both the same --hslink, or the same --url and --from")
        }
        return provides == nil ? .uses(other) : .provides(other)
    }
}

/// `hslink new contract`: creates a contract in a package of its own.
struct NewContractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "Creates a folder with a contract: a service and its model, which components provide and use.",
        discussion: """
            EXAMPLES:
              hslink new contract Weather
              hslink new contract Weather --url https://example.com/hslink.git --from 1.0.0
              hslink new component Weather --provides WeatherContract

            The folder is a package of its own, so the provider and the consumers depend on it and not on each other. \
            Its name and that of its module end in 'Contract', which is appended unless the name has it already.

            All packages that depend on the contract take HSLink from the same place as it does, since SwiftPM refuses \
            two places in one build. For packages that others build too, that is a URL.

            The folder is created complete or not at all. An existing empty folder is replaced.

            STATUS: 0 when the folder was created, 1 when not, or when its files could not be listed, 64 for a wrong \
            command line, 128 plus the number of the signal that ended it.
            """)

    @OptionGroup var scaffold: ScaffoldOptions

    func run() throws {
        let service = ServiceNames(contract: scaffold.name.contract)
        let source = try scaffold.source(service.contract)
        let made = Scaffold.contract(service, source, pins: ScaffoldOptions.pins(of: source))
        try scaffold.make(made, "a contract with the service \(service.type)", folder: service.contract) { folder in
            [
                "swift test --package-path \(folder)",
                "\(ProgramPlace.command) new component \(service.subject) --provides \(folder)",
            ]
        }
    }
}

/// `hslink new workspace`: creates one package with components, a contract and a host.
struct NewWorkspaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workspace",
        abstract: "Creates a folder with two components, the contract between them, and a host program.",
        discussion: """
            EXAMPLES:
              hslink new workspace Desk
              hslink new workspace Desk --url https://example.com/hslink.git --from 1.0.0

            The folder is one package with one build folder: swift-syntax, the macros and the libraries of HSLink are \
            compiled once for all components and the program. Each component still becomes a file of its own, and \
            depends on the contract only.

            The folder is created complete or not at all. An existing empty folder is replaced.

            STATUS: 0 when the folder was created, 1 when not, or when its files could not be listed, 64 for a wrong \
            command line, 128 plus the number of the signal that ended it.
            """)

    @OptionGroup var scaffold: ScaffoldOptions

    func run() throws {
        let name = scaffold.name
        let source = try scaffold.source()
        let made = Scaffold.workspace(name, source, pins: ScaffoldOptions.pins(of: source))
        try scaffold.make(made, "two components, their contract and a host in Swift") { folder in
            ["swift build --package-path \(folder)", "\(folder)/.build/debug/\(name.text) \(folder)/.build/debug"]
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
