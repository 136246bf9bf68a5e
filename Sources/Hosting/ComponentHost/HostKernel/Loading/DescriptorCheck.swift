import ComponentCatalog
import ComponentKit

/// Compares what the manifest in a component's file declares with what its descriptor has once the file is loaded.
package enum DescriptorCheck {
    /// Loads a file into this process and compares its descriptor with its manifest. This runs the initialisers of the
    /// file and of its libraries, and its function `hslink_component`; no component is created. Call it in a process that
    /// may crash and that does nothing else.
    ///
    /// - Parameters:
    ///   - path: the path of the file. Whether it can be trusted is not checked.
    ///   - allowsOtherCompilers: whether to load a file of another compiler, which shares the Swift runtime.
    /// - Returns: A sentence for each difference, or the one reason why the file cannot be loaded; empty if both agree.
    package static func problems(of path: String, allowsOtherCompilers: Bool = false) -> [String] {
        do {
            return try differences(of: path, allowsOtherCompilers: allowsOtherCompilers)
        } catch let error as ComponentFileError {
            return [error.message]
        } catch let error as LinkError {
            return [error.message]
        } catch {
            return ["\(error)"]
        }
    }

    private static func differences(of path: String, allowsOtherCompilers: Bool) throws -> [String] {
        var checker = TrustChecker(policy: .unchecked)
        let file = try checker.openFile(path: path)
        try TrustChecker.refuseLoaderTokens(in: file.path)
        let (manifest, dynamic) = try ComponentFileReader().read(file)
        try BuildCheck(manifest: manifest, allowsOtherCompilers: allowsOtherCompilers)
            .check(sharesRuntime: dynamic.needed.contains { $0 == "libswiftCore.so" })
        let content = try LoadedContents.content(of: file)
        let entry = try unsafe DynamicLibrary.entry(of: file.path, file.identity, content)
        guard let descriptor = unsafe entry() else { return ["its function hslink_component returned NULL"] }
        return try unsafe DescriptorReader(descriptor).differences(from: manifest)
    }
}
