import Foundation

/// The pictures and films of `Tests/Samples`.
public enum Samples {
    /// Returns the absolute path of a sample.
    ///
    /// - Parameter name: The name of its file, as in "clip.mp4".
    public static func path(of name: String) -> String {
        BuiltProducts.packageDirectory.appending(path: "Tests/Samples/\(name)").path
    }

    /// Returns the contents of a sample.
    ///
    /// - Throws: An error if there is no such file.
    public static func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(of: name))))
    }
}
