import ComponentKit
import Foundation
import Glibc

/// Directories that have one component of this package each, and are shared by all tests of a process.
///
/// A file is loaded once, whatever host asks for it. With a copy for each test, hundreds of files are in memory at the
/// end, and most of the time passes in the runtime's searches for conformances, which look at all of them. Tests that
/// change a file, or take it out of its directory, need a ``PluginDirectory``.
public enum SharedPlugins {
    private static let directories = Lock<[String: PluginDirectory]>([:])

    /// Returns the path of the directory that has a component.
    ///
    /// - Parameter name: The folder in `Plugins/`.
    public static func directory(of name: String) throws -> String {
        try directories.withLock { directories in
            if let known = directories[name] { return known.path }
            if directories.isEmpty { atexit { SharedPlugins.removeAll() } }
            let directory = try PluginDirectory()
            try directory.add(name)
            directories[name] = directory
            return directory.path
        }
    }

    /// Returns the paths of directories that have these components.
    ///
    /// - Parameters:
    ///   - names: Components of this package, which are shared, and fixtures.
    ///   - plugins: Gets the fixtures: some count in variables of their file, and tests take them out.
    public static func directories(of names: [String], besides plugins: PluginDirectory) throws -> [String] {
        var shared: [String] = []
        for name in names {
            if FileManager.default.fileExists(atPath: BuiltProducts.component(name).path) {
                shared.append(try directory(of: name))
            } else {
                try plugins.add(name)
            }
        }
        return [plugins.path] + shared
    }

    private static func removeAll() {
        directories.withLock { directories in
            for directory in directories.values { directory.remove() }
            directories = [:]
        }
    }
}
