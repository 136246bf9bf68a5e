import Foundation

/// A process that tests start, communicate with and kill.
@main
enum StorageDriver {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "lock" where arguments.count == 2: try FileLock.hold(arguments[2], mode: "EXCLUSIVE")
        case "lock-writing" where arguments.count == 2: try FileLock.hold(arguments[2], mode: "NORMAL")
        case "write" where arguments.count == 3: try await EndlessWriter.run(plugins: arguments[2], data: arguments[3])
        case "fill" where arguments.count == 4:
            try await DiskFiller.run(plugins: arguments[2], data: arguments[3], ballast: arguments[4])
        case "listen" where arguments.count == 4:
            guard let user = UInt32(arguments[3]), let owner = UInt32(arguments[4]) else { exit(64) }
            try ForeignListening.run(arguments[2], user: user, owner: owner)
        default:
            print(
                "usage: storage-driver lock FILE | lock-writing FILE | write PLUGINS DATA | fill PLUGINS DATA BALLAST"
                    + " | listen SOCKET USER OWNER")
            exit(64)
        }
    }
}
