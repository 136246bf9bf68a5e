import ArgumentParser
import HostControl

/// `hslink list`: the table of components.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Shows the components of the directories, and why some cannot be had.",
        discussion: """
            EXAMPLES:
              hslink list --plugins plugins
              hslink list --plugins plugins --plugins /usr/lib/hslink --all
              hslink list --host /run/user/1000/hslink.sock
              hslink list --json | jq -r '.components[] | select(.state == "failed") | .name'

            Only manifests are read: no code of a component runs.

            STATES:
              available   the first call loads it
              failed      it cannot be loaded, for the reason given
              loaded      it is in memory (--host)
              stopped     it has been ended with its host (--host)
              shadowed    another file provides the same component in the same version or a higher one

            Services that classes provide stand in a second table. Where several provide one, the last column says which \
            is not used, and why.

            With --json, one object: {"components": [{"name", "version", "layer", "state", "file", "reason", \
            "code"}], "services": [{"service", "component", "class", "version", "isChosen", "state", "reason"}], \
            "rejectedDirectories": [{"path", "code", "reason"}]}, and with --all also \
            "rejectedFiles" and "conflicts". What there is none of is null; "code" stands only with a failure. With --host \
            there is also "process", and components have "callsInFlight", "stuckCalls" (threads inside for calls that have ended), "openWork" (tasks that go on), \
            "restartVersion" (what lies there in place of what is in memory) and "isFileGone".

            STATUS: 0, also when there is no component; 1 when a directory of --plugins cannot be searched.
            """)

    @Flag(help: "Also show files that are no components, each with its reason, and classes declared twice.")
    var all = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Let the host of --host look through its directories first.")
    var rescan = false

    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    func validate() throws {
        try host.refuse(components)
        if rescan && host.socket == nil {
            throw ValidationError("--rescan is for a host that runs already; it needs --host")
        }
    }

    func run() async throws {
        let content: HostListing
        if let socket = host.socket {
            content = try await ControlClient.connected(to: socket) { [rescan] host in
                if rescan { try await host.rescan() }
                return try await host.list()
            }
        } else {
            content = HostListing(components.makeHost())
        }
        let listing = ComponentListing(content, showsAll: all)
        if json { try Output.json(listing.json()) } else { try Output.result(listing.text(on: Terminal())) }
        let rejected = content.rejectedDirectories
        let isAskedFor = !components.directories.isEmpty
        components.report(rejected, as: isAskedFor ? "Error" : "Warning")
        if isAskedFor && !rejected.isEmpty { throw ExitCode.failure }
    }
}
