import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix

/// A server with one route that answers next to nothing: what the library and the machine allow at most.
///
/// It runs on as many threads as the server of ComponentWeb, and prints its port.
@main
struct WebBaseline {
    static func main() async throws {
        let router = Router()
        router.get("/empty") { _, _ in "nothing" }
        var silent = Logger(label: "web-baseline") { _ in SwiftLogNoOpLogHandler() }
        silent.logLevel = .critical
        let app = Application(
            responder: router.buildResponder(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in
                // Whoever reads the port waits for it, so nothing is kept in a buffer.
                FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
            },
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 2)), logger: silent)
        try await app.run()
    }
}
