import ComponentHost
import ComponentKit
import Foundation
import Logging

/// The host of the driver, and what it says of its calls.
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
    /// - Returns: its identifier.
    func add(_ label: String) async throws(LinkError) -> Int {
        let address = try await host.call(
            "OwnerLink", "addAddress", ["label": .string(label), "street": "1", "city": "X"])
        do {
            return try address.int("id")
        } catch {
            throw LinkError(.invalidReply, message: error.description)
        }
    }

    /// One line in one write, there when this returns: whatever happens to the process afterwards.
    static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
    }
}
