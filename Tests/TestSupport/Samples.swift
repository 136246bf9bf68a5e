import Foundation

/// The pictures and films of `Tests/Samples`.
public enum Samples {
    /// The absolute path of one.
    ///
    /// - Parameter name: of its file, as in "clip.mp4".
    public static func path(of name: String) -> String {
        BuiltProducts.packageDirectory.appending(path: "Tests/Samples/\(name)").path
    }

    /// What is in it.
    ///
    /// - Throws: when there is no such file.
    public static func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(of: name))))
    }
}
