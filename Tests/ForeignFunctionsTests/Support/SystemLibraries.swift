import Foundation

/// Which libraries of the system are there.
enum SystemLibraries {
    /// Whether `libcrypto.so.3` is installed.
    static var hasCrypto: Bool {
        ["/lib", "/usr/lib"].contains { folder in
            ["x86_64-linux-gnu", "aarch64-linux-gnu", "."].contains {
                FileManager.default.fileExists(atPath: "\(folder)/\($0)/libcrypto.so.3")
            }
        }
    }
}
