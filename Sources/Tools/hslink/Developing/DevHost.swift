import Glibc
import SystemSupport

/// The host of `hslink dev --run`: one process of `hslink run` after the other, each for another build.
final class DevHost {
    /// Where each of the processes listens.
    let socket: String
    /// The descriptor that becomes readable when a process says something about its state; see ``takeReadiness()``.
    let notifications: Int32
    private let words: [String]
    private let output: ChildProcess.Output
    /// A folder for the sockets, which only this user can enter.
    private let folder: String
    private(set) var process: ChildProcess?

    /// - Parameters:
    ///   - words: the program `hslink run` and its options, without --control.
    ///   - socket: where the host is to listen; nil for a place in a temporary folder.
    ///   - output: the destination of its standard output.
    /// - Throws: a ``DevError`` with the system's error message if the sockets cannot be made.
    init(_ words: [String], socket: String?, output: ChildProcess.Output) throws(DevError) {
        folder = try DevHost.makeFolder()
        do throws(DevError) {
            notifications = try DevHost.listen(at: "\(folder)/notify")
        } catch {
            _ = unsafe rmdir(folder)
            throw error
        }
        self.socket = socket ?? "\(folder)/host.sock"
        self.output = output
        self.words = ["env", "NOTIFY_SOCKET=\(folder)/notify"] + words + ["--control", self.socket]
    }

    deinit {
        close(notifications)
        for name in ["notify", "host.sock"] { _ = unsafe unlink("\(folder)/\(name)") }
        _ = unsafe rmdir(folder)
    }

    /// Starts a process. The former one has ended.
    func start() throws(DevError) {
        // What the former one has said last.
        _ = takeReadiness()
        process = try ChildProcess(words, output: output)
    }

    /// Asks the process to stop, as an operator would: a second signal would end it at once.
    func stop() { if let process { kill(process.identifier, SIGTERM) } }

    /// Takes the status of the process from those of children that have ended; nil if it runs.
    func takeStatus(from ended: [pid_t: Int32]) -> Int32? {
        guard let status = process.flatMap({ ended[$0.identifier] }) else { return nil }
        process = nil
        return status
    }

    /// Returns whether the process has said that it is ready since the last call: the components that start with it have
    /// started, and it takes calls.
    func takeReadiness() -> Bool {
        var isReady = false
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
            let count = unsafe recv(notifications, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return isReady }
            isReady = isReady || bytes[..<count].elementsEqual("READY=1".utf8)
        }
    }

    /// Creates the folder where the user's runtime files are, else in /tmp: the path of a socket is short.
    private static func makeFolder() throws(DevError) -> String {
        let places = [RunningProgram.variable("XDG_RUNTIME_DIR"), "/tmp"].compactMap(\.self)
        for place in places where place.hasExactPrefix("/") {
            var template = Array("\(place)/hslink-dev-XXXXXX".utf8CString)
            if unsafe mkdtemp(&template) != nil {
                return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        throw DevError("/tmp: no folder can be created in it: \(systemMessage(errno))")
    }

    /// Binds a socket for messages that nobody answers, as systemd does for its services.
    private static func listen(at path: String) throws(DevError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw DevError("\(path.escaped): too long for a socket; set XDG_RUNTIME_DIR to a shorter path")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
        }
        guard status == 0 else { throw DevError("\(path.escaped): cannot be created: \(systemMessage(errno))") }
        return descriptor
    }
}
