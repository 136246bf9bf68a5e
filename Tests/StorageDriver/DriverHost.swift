import ComponentHost
import ComponentKit
import Foundation
import Logging

/// The host of the driver, which reports its calls.
struct DriverHost: Sendable {
    let host: LinkHost

    init(plugins: String, data: String) {
        var options = HostOptions()
        options.dataDirectory = data
        options.logger = Logger(label: "driver") { _ in SwiftLogNoOpLogHandler() }
        host = LinkHost(components: [plugins], includesBuiltIn: false, options: options)
    }

    /// Adds an address.
    ///
    /// - Returns: Its identifier.
    func add(_ label: String) async throws(LinkError) -> Int {
        let address = try await host.call(
            "OwnerLink", "addAddress", ["label": .string(label), "street": "1", "city": "X"])
        do {
            return try address.int("id")
        } catch {
            throw LinkError(.invalidReply, message: error.description)
        }
    }

    /// Writes one line in one write, so that it survives the end of the process once this has returned.
    static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
    }
}
