import ComponentHost
import ComponentKit
import Foundation

/// Writes until the disk is full, reads, frees space, and writes again; prints one line for each step.
enum DiskFiller {
    static func run(plugins: String, data: String, ballast: String) async throws {
        let driver = DriverHost(plugins: plugins, data: data)
        var acknowledged = 0
        var failure: LinkError?
        let label = String(repeating: "x", count: 200)
        while failure == nil {
            do {
                _ = try await driver.add(label)
                acknowledged += 1
            } catch {
                failure = error
            }
        }
        DriverHost.say("failed \(failure?.message ?? "")")
        let during = try await driver.host.call("OwnerLink", "profile").int("addresses")
        DriverHost.say("kept \(during == acknowledged)")
        try FileManager.default.removeItem(atPath: ballast)
        _ = try await driver.add(label)
        let after = try await driver.host.call("OwnerLink", "profile").int("addresses")
        DriverHost.say("again \(after == acknowledged + 1)")
        await driver.host.stop()
    }
}
