import ComponentHost
import ComponentKit
import Glibc
import SystemSupport

/// Builds, installs and calls components, and does so again whenever sources change. Besides a host of its own, only one
/// child runs at a time: a new build waits for a running build and ends a running call.
struct DevSession: ~Copyable {
    let project: ComponentProject
    let directory: HostDirectory
    /// What to do after a build, in order.
    let steps: [DevStep]
    /// The host that is restarted after each build, before the steps; nil for none.
    let host: DevHost?
    /// The absolute paths of what hosts write, which is no source wherever it lies.
    private let written: [String]

    private enum Activity {
        case none
        case build(ChildProcess, since: ContinuousClock.Instant)
        /// The host with the former build stops.
        case stopping
        /// The host has been started, and is not ready yet.
        case starting
        /// The child runs the step at this index.
        case step(ChildProcess, Int)

        var child: ChildProcess? {
            switch self {
            case .none, .stopping, .starting: nil
            case .build(let child, _), .step(let child, _): child
            }
        }

        /// Whether changes wait for its end.
        var isAwaited: Bool {
            switch self {
            case .build, .stopping: true
            case .none, .starting, .step: false
            }
        }
    }

    private var activity = Activity.none
    private var settling = Settling()
    /// Whether all changes that wait for a build were made while the last one ran.
    private var isFromBuild = false
    /// How many builds in a row have begun only because of such changes.
    private var repeats = 0
    /// The names of the components of the last build.
    private var names: [String] = []
    /// Receives what a step prints for this program.
    private var printed: UnnamedFile?
    private let hasColor = SystemSupport.hasColor(STDERR_FILENO)

    /// - Parameter written: the paths of what hosts write.
    init(
        _ project: ComponentProject, _ directory: HostDirectory, steps: [DevStep], host: DevHost?, written: [String]
    ) {
        self.project = project
        self.directory = directory
        self.steps = steps
        self.host = host
        self.written = (written + [directory.path]).map { DevSession.place($0) }
    }

    /// Returns the absolute path of a file or folder that need not exist yet, with the links in its folder resolved.
    private static func place(_ path: String) -> String {
        if let resolved = AbsolutePath.resolved(path) { return resolved }
        let parts = AbsolutePath.of(path).exactParts(between: "/")
        let named = "/\(parts.dropLast().joined(separator: "/"))"
        let folder = AbsolutePath.resolved(named) ?? named
        return "\(folder == "/" ? "" : folder)/\(parts.last ?? "")"
    }

    /// Runs until a signal arrives.
    ///
    /// - Returns: the number of the signal.
    /// - Throws: a ``DevError`` if the sources cannot be watched or a child cannot be started.
    mutating func run() throws(DevError) -> Int32 {
        let signals = try DevSignals.handle()
        ChildProcess.adoptOrphans()
        // Watching starts before the first build, so changes during the build are noticed.
        var watches = try SourceWatches(project.folder, besides: written)
        defer { ChildProcess.endAll() }
        try build()
        while true {
            var descriptors = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watches.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if let host { descriptors.append(pollfd(fd: host.notifications, events: Int16(POLLIN), revents: 0)) }
            _ = unsafe poll(&descriptors, nfds_t(descriptors.count), timeout)
            for number in DevSignals.take(from: signals) where number != SIGCHLD {
                endHost(unless: signals)
                return number
            }
            let ended = ChildProcess.reap()
            let status = activity.child.flatMap { ended[$0.identifier] }
            // When a build has ended, everything that it has changed is among the events by now.
            if try watches.readEvents() {
                settling.note()
                isFromBuild = false
            }
            settling.isHeldUp = watches.isWriting
            if case .build = activity { isFromBuild = settling.due != nil }
            if let status { try follow(status) }
            if let host { try follow(host, ended) }
            if activity.isAwaited { continue }
            if settling.due?.hasPassed == true {
                watches.takeAsWritten()
                try buildAgain(watches.lastChange)
            }
        }
    }

    /// The timeout for poll(2). No timeout while changes wait.
    private var timeout: Int32 {
        guard !activity.isAwaited, let due = settling.due else { return -1 }
        let (seconds, attoseconds) = due.remaining.components
        return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    private mutating func build() throws(DevError) {
        if activity.child != nil { ChildProcess.endAll(besides: host?.process?.identifier) }
        settling.clear()
        say(project.build.map(\.quotedForShell).joined(separator: " "))
        activity = .build(try ChildProcess(project.build, output: .standardError), since: .now)
    }

    /// Builds because of changes. A build that changes sources itself would be followed by another one for ever; but
    /// somebody may also have changed one while it ran.
    private mutating func buildAgain(_ path: String) throws(DevError) {
        repeats = isFromBuild ? repeats + 1 : 0
        guard repeats > DevSession.mostRepeats else { return try build() }
        settling.clear()
        isFromBuild = false
        say("each build is followed by another one, since \(path) changes during it; waiting for another change", .bad)
    }

    private static let mostRepeats = 2

    /// Goes on after the child of the activity has ended.
    private mutating func follow(_ status: Int32) throws(DevError) {
        switch activity {
        case .none, .stopping, .starting: break
        case .build(_, let start):
            activity = .none
            let seconds = (ContinuousClock.now - start) / .milliseconds(100)
            guard status == 0 else {
                let rest = host?.process == nil ? "" : "the host still has the previous build; "
                return say("the build failed (status \(status)); \(rest)waiting for changes", .bad)
            }
            try put("\((seconds.rounded()) / 10) s")
        case .step(_, let number):
            switch steps[number].consequence {
            case .none: try perform(number + 1)
            case .mustSucceed: try status == 0 ? perform(number + 1) : pause()
            case .mustBeCurrent(let socket): try status == 0 ? goOn(after: number, socket) : pause()
            }
        }
    }

    private mutating func pause() {
        activity = .none
        say("waiting for changes")
    }

    /// Installs the built components and runs the commands. Failures are only reported, since the next change may fix
    /// them.
    private mutating func put(_ time: String) throws(DevError) {
        let components = project.components()
        guard !components.isEmpty else {
            return say("built in \(time), but no component (.so with a manifest) was found; waiting for changes", .bad)
        }
        do throws(DevError) {
            try directory.make()
            for component in components { try directory.put(component) }
        } catch {
            return say("\(error.message); waiting for changes", .bad)
        }
        names = components.map(\.manifest.name)
        let files = components.map(\.file.splitPath.name).joined(separator: ", ")
        say("built in \(time): \(files) in \(directory.path)", .good)
        guard let host else { return try perform(0) }
        guard host.process != nil else { return try start(host) }
        activity = .stopping
        host.stop()
    }

    private mutating func perform(_ number: Int) throws(DevError) {
        guard number < steps.count else { return pause() }
        let step = steps[number]
        var output = step.output
        if case .mustBeCurrent = step.consequence {
            let file = try UnnamedFile()
            output = .file(file.descriptor)
            printed = file
        }
        activity = .step(try ChildProcess(step.words, output: output), number)
    }

    // MARK: - Hosts

    private mutating func start(_ host: DevHost) throws(DevError) {
        try host.start()
        activity = .starting
    }

    /// Goes on when the host has stopped or is ready.
    private mutating func follow(_ host: DevHost, _ ended: [pid_t: Int32]) throws(DevError) {
        let isReady = host.takeReadiness()
        if let status = host.takeStatus(from: ended) {
            if case .stopping = activity { return try start(host) }
            if case .starting = activity { activity = .none }
            say("the host has ended (status \(status)); the next build starts it again", .bad)
        } else if isReady, case .starting = activity {
            say("the host at \(host.socket) has this build", .good)
            try perform(0)
        }
    }

    /// Lets the host stop in order, until another signal arrives.
    private func endHost(unless signals: Int32) {
        guard let host, host.process != nil else { return }
        // It has been told already, if it was to be restarted.
        if case .stopping = activity {} else { host.stop() }
        while host.takeStatus(from: ChildProcess.reap()) == nil {
            var descriptor = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&descriptor, 1, -1)
            if DevSignals.take(from: signals).contains(where: { $0 != SIGCHLD }) { return }
        }
    }

    /// Goes on to the next step, unless somebody else's host still has older code of a component in memory.
    private mutating func goOn(after number: Int, _ socket: String) throws(DevError) {
        let listing = printed.flatMap { try? Payload(json: $0.bytes()) }
        printed = nil
        let rows = listing.flatMap { try? $0["components"]?.items() } ?? []
        let old = names.filter { name in
            rows.contains { row in
                (try? row.string("name").isExactly(name)) == true && (try? row.string("restartVersion")) != nil
            }
        }
        guard !old.isEmpty else { return try perform(number + 1) }
        activity = .none
        say(
            "the host at \(socket) still has the old code of \(old.joined(separator: ", ")) in memory and was not called; "
                + "restart it to use this build, or use --run instead of --host; waiting for changes", .bad)
    }

    private func say(_ text: String, _ color: ListingTable.Color = .title) {
        Output.note(hasColor ? "\(color.rawValue)\(text.escaped)\u{1B}[0m" : text.escaped)
    }
}
