public import Foundation

/// Where the build system put what the tests run and load: programs, and `.so` files of components.
public enum BuiltProducts {
    /// The directory of the built products: the one that `HSLINK_BIN_DIR` names, else the one that the tests
    /// themselves run from, else `.build/debug` of this package.
    public static let directory: URL = {
        if let given = ProcessInfo.processInfo.environment["HSLINK_BIN_DIR"] {
            return URL(filePath: given, directoryHint: .isDirectory)
        }
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let holdsProducts = FileManager.default.fileExists(atPath: own.appending(path: "hslink").path)
        return holdsProducts ? own : packageDirectory.appending(path: ".build/debug").resolvingSymlinksInPath()
    }()

    /// The sanitizer that they are built with, `address` or `thread`, as `HSLINK_SANITIZE` says.
    public static let sanitizer = ProcessInfo.processInfo.environment["HSLINK_SANITIZE"]
        .flatMap { $0.isEmpty ? nil : $0 }

    /// The directory of this package's manifest.
    public static let packageDirectory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The command line of the runtime.
    public static var hslink: URL { directory.appending(path: "hslink") }

    /// The process of the tests' own; see Tests/StorageDriver.
    public static var storageDriver: URL { directory.appending(path: "storage-driver") }

    /// The `.so` of a component that is a product of this package.
    ///
    /// - Parameter name: as in "ComponentVideo".
    public static func component(_ name: String) -> URL { directory.appending(path: "lib\(name).so") }
}
