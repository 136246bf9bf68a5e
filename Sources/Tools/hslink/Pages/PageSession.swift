import ComponentKit
import PageKit

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
    func loaded(
        _ id: String, on client: PageClient, while isLoading: (Page) -> Bool
    ) async throws -> Page {
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
}
