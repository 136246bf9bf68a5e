/// What `stop` found.
public struct StopReport: Sendable, Hashable {
    /// How many calls had not ended in time and were ended as cancelled.
    public var cancelledCalls = 0
    /// Components that some thread is still inside of. They were not ended; their code stays in memory.
    public var stillRunning: [String] = []

    /// Everything ended in time.
    public init() {}
}
