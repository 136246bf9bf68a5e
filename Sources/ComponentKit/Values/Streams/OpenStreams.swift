/// The streams of one owner that somebody waits for. They end when the owner is stopped, since an element that
/// nobody makes any more would never come.
final class OpenStreams: Sendable {
    private let streams = Lock<[ObjectIdentifier: StreamSource]>([:])

    func add(_ stream: StreamSource) { streams.withLock { $0[ObjectIdentifier(stream)] = stream } }

    func remove(_ stream: StreamSource) { _ = streams.withLock { $0.removeValue(forKey: ObjectIdentifier(stream)) } }

    func endAll() {
        let all = streams.withLock { streams in
            defer { streams = [:] }
            return streams
        }
        for stream in all.values { stream.stop() }
    }
}
