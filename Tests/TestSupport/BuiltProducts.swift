public import Foundation

/// The built programs and component files that the tests run and load.
public enum BuiltProducts {
    /// The directory of the built products: that of `HSLINK_BIN_DIR`, else that of the running tests, else
    /// `.build/debug` of this package.
    public static let directory: URL = {
        if let given = ProcessInfo.processInfo.environment["HSLINK_BIN_DIR"] {
            return URL(filePath: given, directoryHint: .isDirectory)
        }
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let holdsProducts = FileManager.default.fileExists(atPath: own.appending(path: "hslink").path)
        return holdsProducts ? own : packageDirectory.appending(path: ".build/debug").resolvingSymlinksInPath()
    }()

    /// The sanitizer of the build, `address` or `thread`, from `HSLINK_SANITIZE`.
    public static let sanitizer = ProcessInfo.processInfo.environment["HSLINK_SANITIZE"]
        .flatMap { $0.isEmpty ? nil : $0 }

    /// The directory of this package's manifest.
    public static let packageDirectory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The command line of the runtime.
    public static var hslink: URL { directory.appending(path: "hslink") }

    /// The helper process of the tests; see Tests/StorageDriver.
    public static var storageDriver: URL { directory.appending(path: "storage-driver") }

    /// Returns the `.so` file of a component that is a product of this package.
    ///
    /// - Parameter name: The name, as in "ComponentVideo".
    public static func component(_ name: String) -> URL { directory.appending(path: "lib\(name).so") }
}
