/// What `hslink dev` does after each build, when the components are in their directory: one command in its own process.
struct DevStep {
    /// The program and its arguments.
    let words: [String]
    let output: ChildProcess.Output
    /// What follows from the command.
    var consequence = Consequence.none

    enum Consequence {
        /// The next step follows, whatever the status is.
        case none
        /// The next step follows only if the command succeeds.
        case mustSucceed
        /// The command prints the JSON of `hslink list`. The next step follows only if this host, which is somebody
        /// else's, has no older code of the components in memory: what it answers would be taken for the new build's.
        case mustBeCurrent(socket: String)
    }
}
