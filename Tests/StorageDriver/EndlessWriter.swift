import ComponentHost
import ComponentKit
import Foundation

/// Writes from several tasks at once and prints what was acknowledged, until the process is killed.
enum EndlessWriter {
    static func run(plugins: String, data: String) async throws {
        let driver = DriverHost(plugins: plugins, data: data)
        // The first lines load the components, one after the other.
        DriverHost.say("added \(try await driver.add("first"))")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    while true {
                        let kept = try await driver.add("kept")
                        DriverHost.say("added \(kept)")
                        let other = try await driver.add("deleted")
                        DriverHost.say("deleting \(other)")
                        _ = try await driver.host.call("OwnerLink", "deleteAddress", ["id": Payload(other)])
                        DriverHost.say("deleted \(other)")
                    }
                }
            }
            if driver.host.isAvailable("AccountLink") {
                group.addTask {
                    while true {
                        let name = UUID().uuidString
                        _ = try await driver.host.call(
                            "AccountLink", "signUp", ["name": .string(name), "password": "correct horse"])
                        DriverHost.say("user \(name)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
