import ComponentHost
import ComponentKit
import Glibc
import SystemSupport

/// Builds, installs and calls components, and does so again whenever sources change. Only one child runs at a time: a
/// new build waits for a running build and ends a running call.
struct DevSession: ~Copyable {
    let project: ComponentProject
    let directory: HostDirectory
    /// The commands to run after a build, in order. Each runs in its own process, and so with its own host.
    let commands: [(words: [String], output: ChildProcess.Output)]

    private enum Activity {
        case none
        case build(ChildProcess, since: ContinuousClock.Instant)
        /// The child runs the command at this index.
        case command(ChildProcess, Int)

        var child: ChildProcess? {
            switch self {
            case .none: nil
            case .build(let child, _), .command(let child, _): child
            }
        }
    }

    private var activity = Activity.none
    private var settling = Settling()
    /// Whether all changes that wait for a build were made while the last one ran.
    private var isFromBuild = false
    /// How many builds in a row have begun only because of such changes.
    private var repeats = 0
    private let hasColor = SystemSupport.hasColor(STDERR_FILENO)

    init(
        _ project: ComponentProject, _ directory: HostDirectory,
        commands: [(words: [String], output: ChildProcess.Output)]
    ) {
        self.project = project
        self.directory = directory
        self.commands = commands
    }

    /// Runs until a signal arrives.
    ///
    /// - Returns: the number of the signal.
    /// - Throws: a ``DevError`` if the sources cannot be watched or a child cannot be started.
    mutating func run() throws(DevError) -> Int32 {
        let signals = try DevSignals.handle()
        ChildProcess.adoptOrphans()
        // Watching starts before the first build, so changes during the build are noticed.
        let copies = AbsolutePath.resolved(directory.path) ?? AbsolutePath.of(directory.path)
        var watches = try SourceWatches(project.folder, besides: copies)
        defer { ChildProcess.endAll() }
        try build()
        while true {
            var descriptors = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watches.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&descriptors, nfds_t(descriptors.count), timeout)
            for number in DevSignals.take(from: signals) where number != SIGCHLD { return number }
            let status = activity.child?.reap()
            // When a build has ended, everything that it has changed is among the events by now.
            if try watches.readEvents() {
                settling.note()
                isFromBuild = false
            }
            settling.isHeldUp = watches.isWriting
            if case .build = activity { isFromBuild = settling.due != nil }
            if let status { try ended(status) }
            if case .build = activity { continue }
            if settling.due?.hasPassed == true {
                watches.takeAsWritten()
                try buildAgain(watches.lastChange)
            }
        }
    }

    /// The timeout for poll(2). No timeout during a build, since changes wait for its end.
    private var timeout: Int32 {
        if case .build = activity { return -1 }
        guard let due = settling.due else { return -1 }
        let (seconds, attoseconds) = due.remaining.components
        return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    private mutating func build() throws(DevError) {
        if activity.child != nil { ChildProcess.endAll() }
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

    private mutating func ended(_ status: Int32) throws(DevError) {
        switch activity {
        case .none: break
        case .build(_, let start):
            activity = .none
            let seconds = (ContinuousClock.now - start) / .milliseconds(100)
            guard status == 0 else { return say("the build failed (status \(status)); waiting for changes", .bad) }
            try put("\((seconds.rounded()) / 10) s")
        case .command(_, let number): try perform(number + 1)
        }
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
        let names = components.map(\.file.splitPath.name).joined(separator: ", ")
        say("built in \(time): \(names) in \(directory.path)", .good)
        try perform(0)
    }

    private mutating func perform(_ number: Int) throws(DevError) {
        guard number < commands.count else {
            activity = .none
            return say("waiting for changes")
        }
        let command = commands[number]
        activity = .command(try ChildProcess(command.words, output: command.output), number)
    }

    private func say(_ text: String, _ color: ListingTable.Color = .title) {
        Output.note(hasColor ? "\(color.rawValue)\(text.escaped)\u{1B}[0m" : text.escaped)
    }
}
