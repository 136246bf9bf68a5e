import ArgumentParser
import ComponentHost
import HostContract
import HostControl

/// `hslink list`: shows the table of components.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the components in the directories, and why any of them are unavailable.",
        discussion: """
            EXAMPLES:
              hslink list --plugins plugins
              hslink list --plugins plugins --plugins /usr/lib/hslink --all
              hslink list --plugins plugins --config host.yaml
              hslink list --host /run/user/1000/hslink.sock
              hslink list --json | jq -r '.components[] | select(.state == "failed") | .name'

            Only manifests are read: no code from a component runs.

            STATES:
              available   the first call loads it
              failed      it cannot be loaded, for the reason given
              starting    it is being loaded (--host)
              running     it is in memory (--host)
              stuck       so many of its threads hang that calls to it fail, until some return (--host)
              stopping    the host stops (--host)
              stopped     it was stopped along with its host (--host)
              shadowed    another file provides the same component in the same or a higher version
              disabled    the configuration disables it (--config)

            The last column also counts the routes that the host does not use, because they are in conflict with those \
            of another component or not valid; 'hslink routes' shows them with the reasons.

            A second table lists the services that classes provide. If several classes provide a service, the last \
            column shows which of them are not used, and why.

            With --json, prints one object: {"components": [{"name", "version", "layer", "state", "file", "reason", \
            "code"}], "services": [{"service", "component", "class", "version", "isChosen", "state", "reason"}], \
            "rejectedDirectories": [{"path", "code", "reason"}]}, and with --all also "rejectedFiles" and "conflicts". \
            Missing values are null, as is "reason" where there is none; the class hslink.Host answers "" for it. "code" \
            is present only for failures, and "refusedRoutes", [{"pattern", "class", "selector", "reason"}], only for \
            components with routes that are not used. With --host, the object also has "process", and components have "callsInFlight", "stuckCalls" (threads still running methods whose calls \
            have ended), "openWork" (tasks still running), "restartVersion" (the version on disk that a restart would \
            load instead), "isFileGone", and, if the component has crashed the host since it last stopped in order, \
            "lastCrash".

            STATUS: 0, even if no component was found; 1 when a directory given with --plugins cannot be searched, a \
            file of the configuration cannot be used, or the host given with --host cannot be reached.
            """)

    @Flag(help: "Also show files that are not components, each with the reason, and classes declared twice.")
    var all = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Make the host given with --host rescan its directories first.")
    var rescan = false

    @OptionGroup var settings: ConfigurationOptions

    @OptionGroup var host: RunningHostOptions

    @OptionGroup var components: ComponentOptions

    func validate() throws {
        try host.refuse(components, configuration: settings)
        if rescan && host.socket == nil {
            throw ValidationError("--rescan applies to running hosts only; it needs --host")
        }
    }

    func run() async throws {
        let content: HostContents
        if let socket = host.socket {
            content = try await ControlClient.connected(to: socket) { [rescan] host in
                if rescan { try await host.rescan() }
                return try await host.list()
            }
        } else {
            let host = components.makeHost(settings.apply)
            try settings.verify(host)
            content = HostContents(host)
        }
        let listing = ComponentListing(content: content, showsAll: all)
        if json { try Output.json(listing.json()) } else { try Output.result(listing.text(on: Terminal())) }
        if components.report(content.rejectedDirectories) { throw ExitCode.failure }
    }
}
