import ComponentKit
import Dispatch
import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOPosix
import NIOSSL

/// The server: opens the port, and answers requests until it is ended.
final class WebServer: Sendable {
    private let threads: MultiThreadedEventLoopGroup
    private let hubs: PageHubs
    private let running = Lock<Task<Void, Never>?>(nil)
    private let connections = Lock<Connections?>(nil)
    private let isOver = DispatchSemaphore(value: 0)
    private let shownAddress = Lock<String?>(nil)

    /// How many threads talk to browsers. What they wait for runs elsewhere.
    private static let threadCount = 2

    init(_ hubs: PageHubs) {
        self.hubs = hubs
        // Threads of its own, not those that NIO shares: these end with the component.
        threads = MultiThreadedEventLoopGroup(numberOfThreads: WebServer.threadCount)
    }

    /// Opens the port.
    ///
    /// - Throws: an error if the port or the certificate cannot be used.
    func start(
        _ options: WebOptions, port: Int, responder: WebResponder,
        log: @escaping @Sendable (LogLevel, String) -> Void
    ) throws {
        try WebServer.tryToOpen(options.address, port)
        let connections = Connections(options.maximumConnections) { options.client(of: $0) }
        let builder = try WebServer.builder(options, connections)
        self.connections.withLock { $0 = connections }
        var silent = Logger(label: "ComponentWeb") { _ in SwiftLogNoOpLogHandler() }
        silent.logLevel = .critical
        let scheme = options.certificate == nil ? "http" : "https"
        let app = Application(
            responder: responder, server: builder,
            configuration: ApplicationConfiguration(
                address: .hostname(options.address, port: port), serverName: nil),
            onServerRunning: { [self] channel in
                let port = channel.localAddress?.port ?? port
                let host = options.address.contains(":") ? "[\(options.address)]" : options.address
                let shown = Loopback.isLoopback(options.address) ? "localhost" : host
                shownAddress.withLock { $0 = "\(scheme)://\(shown):\(port)/" }
                log(.info, "pages are at \(scheme)://\(shown):\(port)/")
                if options.password != nil, !options.behindProxy {
                    log(.info, "anyone who can reach \(host) and knows the password can use the pages")
                }
                if !Loopback.isLoopback(options.address), !options.isSecure {
                    log(.warning, "connections are not encrypted: others on the network can read the password")
                }
            },
            eventLoopGroupProvider: .shared(threads), logger: silent)
        running.withLock { running in
            running = Task { [isOver] in
                do {
                    try await app.run()
                } catch is CancellationError {
                } catch {
                    log(.error, "the web server has ended: \(error)")
                }
                isOver.signal()
            }
        }
    }

    /// The URL of the first page; nil until the port is open.
    var address: String? { shownAddress.withLock { $0 } }

    /// Ends all streams and answers nothing new. Does not wait.
    func cancel() {
        hubs.end()
        running.withLock { $0 }?.cancel()
    }

    /// Ends the server with its connections, and its threads. If an answer has not ended after a while, the threads stay:
    /// NIO ends the process if somebody still waits for an event loop that is gone.
    func close() {
        cancel()
        connections.withLock { $0 }?.closeAll()
        if running.withLock({ $0 }) != nil, isOver.wait(timeout: .now() + .seconds(2)) == .timedOut { return }
        let isClosed = DispatchSemaphore(value: 0)
        threads.shutdownGracefully { _ in isClosed.signal() }
        _ = isClosed.wait(timeout: .now() + .seconds(1))
    }

    /// HTTP/1.1, and with a certificate HTTP/2 as well, which a browser asks for first: it needs one connection for all
    /// the pages that it shows, and opens no more than six of HTTP/1.1.
    ///
    /// Limits of HTTP/2 are those of NIOHTTP2: 100 requests at a time, 16 KiB of headers, and an end of the connection
    /// after 200 requests taken back (CVE-2023-44487) or 200 control frames in 30 seconds.
    private static func builder(_ options: WebOptions, _ connections: Connections) throws -> HTTPServerBuilder {
        let requests = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ProtocolInstaller(), AnswerWatch()], idleTimeout: Patience.idle,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100))
        let encryption = try encryption(options)
        return HTTPServerBuilder { responder in
            let responder = connections.counting(responder)
            guard let encryption else {
                return AdmittedChannel(
                    base: HTTP1Channel(responder: responder, configuration: requests), connections: connections)
            }
            let either = HTTP2ChannelConfiguration(
                idleTimeout: .nanoseconds(Patience.idle.nanoseconds), gracefulCloseTimeout: Patience.refused,
                streamConfiguration: requests)
            return AdmittedChannel(
                base: try HTTP2UpgradeChannel(
                    tlsConfiguration: encryption, configuration: either, responder: responder),
                connections: connections)
        }
    }

    /// What connections are encrypted with; nil if they are not.
    private static func encryption(_ options: WebOptions) throws -> TLSConfiguration? {
        guard let certificate = options.certificate, let key = options.privateKey else { return nil }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
            guard !chain.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
            let configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            // Also finds that the key is that of another certificate.
            _ = try NIOSSLContext(configuration: configuration)
            return configuration
        } catch {
            throw LinkError(
                domain: "ComponentWeb", number: 3,
                message: "the certificate \(certificate) and the key \(key) cannot be used: both must be readable PEM "
                    + "files that belong together (\(error))")
        }
    }

    /// Opens the port and closes it again, so that who starts the host is told at once if that is not possible.
    private static func tryToOpen(_ address: String, _ port: Int) throws(LinkError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address, "\(port)", &hints, &found) == 0, let first = unsafe found else {
            throw LinkError(
                domain: "ComponentWeb", number: 4, message: "address: expected an address, found \(address)")
        }
        defer { unsafe freeaddrinfo(first) }
        let type = unsafe first.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(first.pointee.ai_family, type, first.pointee.ai_protocol)
        guard descriptor >= 0 else { throw error(errno, address, port: port) }
        defer { Glibc.close(descriptor) }
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0, listen(descriptor, 1) == 0
        else { throw error(errno, address, port: port) }
    }

    private static func error(_ code: Int32, _ address: String, port: Int) -> LinkError {
        LinkError(
            domain: "ComponentWeb", number: 4,
            message: "the port \(port) of \(address) cannot be opened: \(unsafe String(cString: strerror(code)))")
    }
}
