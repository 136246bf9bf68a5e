import ArgumentParser
import ComponentKit
import PageKit
import Routing
import SystemSupport

/// `hslink page`: shows a page, or performs one of its actions.
struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Shows a page that components make together, or performs one of its actions.",
        discussion: """
            EXAMPLES:
              hslink page home --plugins plugins
              hslink page home --host hslink.sock --watch
              hslink page home --host hslink.sock --no-actions --unfold
              hslink page home --host hslink.sock --perform addresses/1/deleteAddress --yes
              hslink page account --host hslink.sock --perform account.entry/signIn name=Ada password=@?
              hslink page home --host hslink.sock --json
              hslink page address id=3 --host hslink.sock
              hslink page 'address?id=3' --host hslink.sock --perform owner.address.edit/changeAddress city=Paris

            The page is composed by the component that provides the service of pages, from page files and from what \
            the page modules of components answer. 'hslink pages' lists the pages.

            A page that takes values is given them as value=text, or in its id, as in 'address?id=3'; a name that is \
            repeated is an array. 'hslink pages' lists which values there are. With --perform, the values are in the id.

            Sections that are not shown as their modules made them are marked with (loading), (failed) or (fallback), \
            and those whose views are left out with (folded). The command waits for sections that are loading until \
            the deadline, 10 seconds by default, and then shows the page as it is.

            Below each view, or behind it, are the commands for its actions. They lead to the same host; values \
            given with --set are not repeated in them.

            An action has an address: the name of the section, the keys of the views around the action, and its \
            selector, as in addresses/1/deleteAddress. A check value is added, as in lamps/7/set@3kq0x2vb, if these do not \
            say everything that the action does: it has other parameters than the key of its view as "id". So an \
            address never leads to another item, even if the page has changed since it was shown: the command fails \
            if the page does not offer the action any more.

            With --perform, values of a form are given as field=value, or read from elsewhere as 'hslink call' does \
            (field=@?, field=@-, field=@FILE, field=@env:NAME; field=@@text for text that begins with an @). Fields \
            that are not given keep what is in them. If the page asks for a confirmation, the command asks at the \
            terminal; --yes answers. The result is printed as 'hslink call' does. If the action leads to another \
            page, that page is printed after what the action says. An action without a result prints the page as it \
            is then if the command starts a host of its own, and nothing if the host is a running one.

            With --watch, the page is shown again after each change: on a terminal in the place of the former one, \
            else below it, after an empty line. Ctrl-C ends the command with status 0.

            With --json, prints one object: {"id", "title", "revision", "frame", "sections": [{"name", "module", \
            "component", "title", "state", "layout", "view"}]}; with --watch, one on a line for each change; with \
            --perform: {"page", "value"}. A view is {"content": {KIND: {"_0": {...}}}, "key", "action", "sideActions", \
            "children"}.

            On a terminal, times are in its zone; elsewhere, they are in UTC.

            STATUS: 0 when the page was shown or the action performed, 1 when not, when a confirmation was answered \
            with no, or when the host was lost; 64 for a wrong command line.
            """)

    @Argument(
        help: ArgumentHelp("The name of the page, or its id with values.", valueName: "page"),
        completion: .custom(PageCompletion.pages))
    var page: String

    @Argument(
        help: ArgumentHelp(
            "Values of the page (value=text); with --perform, of the form.", valueName: "name=value"))
    var values: [String] = []

    @Flag(help: "Show the page again after each change, until Ctrl-C.")
    var watch = false

    @Flag(help: "Print the page as one JSON object.")
    var json = false

    @Option(
        name: .customLong("perform"),
        help: ArgumentHelp("Perform the action with this address instead.", valueName: "address"),
        transform: { text in
            guard let address = ActionAddress(text) else {
                throw ValidationError("expected an address such as addresses/1/deleteAddress, found '\(text.escaped)'")
            }
            return address
        })
    var address: ActionAddress?

    @Flag(name: .customLong("yes"), help: "With --perform, do not ask for a confirmation.")
    var isConfirmed = false

    @Flag(help: "Show what is in folded sections and cards, too.")
    var unfold = false

    @Flag(name: .customLong("no-actions"), help: "Leave out the commands for actions.")
    var hidesActions = false

    @Option(
        help: ArgumentHelp(
            "How long to wait for sections that are loading (default: 10), and for an action (default: 60).",
            valueName: "seconds"),
        transform: { try Seconds($0) })
    var deadline: Seconds?

    @OptionGroup var options: PageOptions

    func validate() throws {
        if page.isEmpty { throw ValidationError("expected the name of a page, found an empty string") }
        if address == nil {
            if isConfirmed { throw ValidationError("--yes needs an action: add --perform") }
        } else if watch {
            throw ValidationError("--perform and --watch cannot be combined")
        }
        if watch, deadline != nil { throw ValidationError("--watch and --deadline cannot be combined") }
    }

    func run() async throws {
        do {
            let session = try session()
            guard watch else { return try await options.withClient { try await session.run(on: $0) } }
            let interruption = try CommandInterruption()
            try await options.withClient { client in
                try await interruption.watching { try await session.run(on: client) }
            }
        } catch let error as UsageError {
            Output.error(error.message)
            throw ExitCode.validationFailure
        } catch let error as PageFailure {
            Output.error(error.message.escapedMessage)
            throw ExitCode.failure
        }
    }

    private func session() throws(UsageError) -> PageSession {
        var request: ActionRequest?
        var page = page
        if let address {
            request = try ActionRequest(address, values, isConfirmed: isConfirmed)
        } else {
            page = URLArguments.url(page, adding: try values.map(PageCommand.item))
        }
        return PageSession(
            page: page, isJSON: json, watches: watch, unfolds: unfold, options: hidesActions ? nil : options.words,
            timeout: deadline?.duration, request: request)
    }

    /// Returns a value of the page as an item of a query.
    private static func item(_ text: String) throws(UsageError) -> String {
        guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")), sign != text.startIndex else {
            throw UsageError("expected value=text after the page, found \(text.quoted())")
        }
        let value = String(text[text.utf8.index(after: sign)...])
        return "\(String(text[..<sign]).percentEncodedForURL)=\(value.percentEncodedForURL)"
    }
}
