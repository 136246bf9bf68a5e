import ComponentKit
import ManifestRules
import PageKit
import SystemSupport

/// What `hslink page` does with a host.
struct PageSession: Sendable {
    let page: String
    let isJSON: Bool
    let watches: Bool
    let unfolds: Bool
    /// The options for commands that are shown with actions; nil to leave them out.
    let options: [String]?
    /// How long to wait for sections that are loading, and for an action.
    let timeout: Duration?
    let request: ActionRequest?

    /// How long to wait for sections that are loading if no timeout is given.
    private static let loadingTime = Duration.seconds(10)
    /// How long the service may take to answer; it waits for changes for up to 20 seconds.
    static let patience = Duration.seconds(60)

    /// Shows the page or performs the action, and prints the result.
    ///
    /// - Returns: the exit status.
    func run(on client: PageClient) async throws -> Int32 {
        if let request { return try await perform(request, on: client) }
        if watches { return try await watch(on: client) }
        let page = try await loaded(page, on: client) { $0.isLoading }
        try print(page)
        return 0
    }

    /// Asks for a page until it is not loading any more, or the timeout is over.
    ///
    /// - Parameter isLoading: whether what is needed of the page is still to come.
    func loaded(_ id: String, on client: PageClient, while isLoading: (Page) -> Bool) async throws -> Page {
        let end = ContinuousClock.now + (timeout ?? PageSession.loadingTime)
        var page = try await client.page(id, after: nil, timeout: PageSession.patience)
        while isLoading(page) {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { break }
            do {
                let next = try await client.page(id, after: page.revision, timeout: rest)
                // A service that does not wait would be asked without a pause.
                if next.revision == page.revision { try await Task.sleep(for: .milliseconds(50)) }
                page = next
            } catch let failure as PageFailure where failure.isLate {
                break
            }
        }
        return page
    }

    /// Prints a page once.
    func print(_ page: Page) throws {
        if isJSON {
            try Output.json(try PageSession.json(of: page))
        } else {
            try Output.result(lines(of: page).joined(separator: "\n"))
        }
    }

    func lines(of page: Page) -> [String] {
        let commands = options.map { PageCommands(page: page.id, options: $0) }
        return PageText(terminal: Terminal(), commands: commands, unfolds: unfolds).lines(of: page)
    }

    static func json(of value: some PayloadConvertible) throws -> String {
        do throws(PayloadError) {
            return try value.payload.json()
        } catch {
            throw PageFailure("the answer cannot be printed as JSON: \(error)")
        }
    }

    func perform(_ request: ActionRequest, on client: PageClient) async throws -> Int32 {
        let section = request.address.section
        let page = try await client.page(page, with: section, timeout: timeout ?? PageSession.patience)
        let entry = try entry(of: request, on: page)
        let values = try PageSession.values(of: request, for: entry.fields)
        if let question = entry.action.confirmation, !request.isConfirmed {
            switch PageConfirmation.ask(question) {
            case true?: break
            case false?: throw PageFailure("not performed")
            case nil:
                throw UsageError("the page asks: \(question.excerpt); there is no terminal to answer at: add --yes")
            }
        }
        if case .show(let id) = entry.action.effect {
            try print(try await loaded(id, on: client) { $0.isLoading })
            return 0
        }
        let outcome = try await client.perform(
            entry.action, of: section, on: page.id, values: values, timeout: timeout ?? CallLimit.standard.duration)
        if entry.action.parts != nil {
            try print(try await loaded(page.id, on: client) { $0.isLoading })
            return 0
        }
        let next = isJSON ? nil : outcome.page
        if outcome.value.isNull, !isJSON {
            // What a host of this process keeps in memory ends with it, so the page is shown as it has become.
            if let shown = next ?? (client.isLocal ? page.id : nil) {
                try print(try await loaded(shown, on: client) { $0.isLoading })
            } else if Terminal().width != nil {
                try Output.result("Done.")
            }
            return 0
        }
        let text: String
        do throws(PayloadError) {
            text = isJSON ? try outcome.payload.json() : try outcome.value.json(pretty: true)
        } catch {
            throw PageFailure("performed, but the result cannot be printed as JSON: \(error)")
        }
        try Output.json(text)
        if let next { try print(try await loaded(next, on: client) { $0.isLoading }) }
        return 0
    }

    /// Finds the action on the page.
    private func entry(of request: ActionRequest, on page: Page) throws -> SectionActions.Entry {
        guard let section = page.section(named: request.address.section) else {
            let names = ([page.frame].compactMap(\.self) + page.sections).map(\.name)
            let similar = SimilarName.nearest(to: request.address.section, in: names)
            let known = names.isEmpty ? "it is empty" : "it shows \(names.joined(separator: ", "))"
            throw PageFailure(
                "the page \(page.id.quoted()) shows no section \(request.address.section.quoted()); "
                    + (similar.map { "did you mean \($0)?" } ?? known))
        }
        let actions = SectionActions(section)
        switch actions.entry(at: request.address) {
        case .one(let entry): return entry
        case .several:
            throw PageFailure("several forms of the page have the address \(request.address.text); give them keys")
        case .none:
            // No hint at the most similar address: it may be that of the next item.
            throw PageFailure(
                "the page \(page.id.quoted()) does not offer \(request.address.text) now; "
                    + "'hslink page' shows what it offers")
        }
    }

    /// Returns the values of all fields. Those that are not given keep what is in them, as in a browser.
    static func values(
        of request: ActionRequest, for fields: [FieldContent]
    ) throws(UsageError) -> [String: String] {
        let names = fields.map(\.name)
        if let unknown = request.values.first(where: { !names.containsExactly($0.field) }) {
            let known = names.isEmpty ? "the action takes no values" : "the fields are \(names.joined(separator: ", "))"
            throw UsageError("there is no field \(unknown.field.excerpt); \(known)".escaped)
        }
        var values: [String: String] = [:]
        for field in fields {
            guard let given = request.values.first(where: { $0.field.isExactly(field.name) }) else {
                values[field.name] = field.writtenValue ?? ""
                continue
            }
            values[field.name] = given.value
        }
        return values
    }

    /// The least time between two states of the page that are shown.
    private static let pause = Duration.milliseconds(100)

    /// How often the terminal is asked for its size, and the output for its reader.
    private static let interval = Duration.milliseconds(250)

    /// Shows the page, and again after each change, until the task is cancelled or the output is no longer read.
    func watch(on client: PageClient) async throws -> Int32 {
        let screen = WatchedPage(self, redraws: !isJSON && Terminal.canRedraw)
        let shown = try await client.page(page, after: nil, timeout: PageSession.patience)
        try screen.show(shown)
        return try await withThrowingTaskGroup(of: Int32.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var revision = shown.revision
                while true {
                    try await Task.sleep(for: PageSession.pause)
                    let next = try await client.page(page, after: revision, timeout: PageSession.patience)
                    try screen.show(next)
                    revision = next.revision
                }
            }
            group.addTask {
                while !Output.hasLostReader() {
                    try await Task.sleep(for: PageSession.interval)
                    try screen.resize()
                }
                return 0
            }
            return try await group.next() ?? 0
        }
    }

    /// Draws the page over what is on the terminal.
    fileprivate func draw(_ page: Page) throws {
        try Terminal.draw(lines(of: page))
    }
}

/// An action that is to be performed, as a command line names it.
struct ActionRequest: Sendable {
    let address: ActionAddress
    /// The values of fields, in order.
    let values: [(field: String, value: String)]
    /// Whether the action is not asked about.
    let isConfirmed: Bool

    /// - Parameters:
    ///   - address: the address after `--perform`.
    ///   - arguments: the arguments after the page, as `field=value`.
    /// - Throws: a ``UsageError`` if an argument is not `field=value`, or its value cannot be read.
    init(_ address: ActionAddress, _ arguments: [String], isConfirmed: Bool) throws(UsageError) {
        self.address = address
        self.isConfirmed = isConfirmed
        var values: [(field: String, value: String)] = []
        for argument in arguments {
            guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")), sign > argument.startIndex else {
                throw UsageError("expected field=value after the page, found \(argument.excerpt)")
            }
            let field = String(argument[..<sign])
            guard !values.contains(where: { $0.field.isExactly(field) }) else {
                throw UsageError("the field \(field.excerpt) is given twice")
            }
            let text = String(argument[argument.utf8.index(after: sign)...])
            let value = try ValueArgument(text, of: field)
            if case .written(let text) = value {
                values.append((field, text))
            } else {
                let payload = try value.payload(of: field, type: "String")
                values.append((field, (try? payload.string()) ?? ""))
            }
        }
        self.values = values
    }
}

/// What of a page is on the terminal or in the output.
private final class WatchedPage: Sendable {
    private struct State {
        var page: Page?
        var size: (width: Int?, height: Int) = (nil, 0)
    }

    private let session: PageSession
    private let redraws: Bool
    private let state = Lock(State())

    init(_ session: PageSession, redraws: Bool) {
        self.session = session
        self.redraws = redraws
    }

    /// Shows a page unless it is shown already.
    func show(_ page: Page) throws {
        try state.withLock { state in
            guard page != state.page else { return }
            defer {
                state.page = page
                state.size = (Terminal().width, Terminal.height)
            }
            if redraws { return try session.draw(page) }
            if state.page != nil, !session.isJSON { try Output.result("") }
            try session.print(page)
        }
    }

    /// Shows the page again if the terminal has another size.
    func resize() throws {
        guard redraws else { return }
        try state.withLock { state in
            let size = (Terminal().width, Terminal.height)
            guard let page = state.page, size.0 != state.size.width || size.1 != state.size.height else { return }
            state.size = size
            try session.draw(page)
        }
    }
}
