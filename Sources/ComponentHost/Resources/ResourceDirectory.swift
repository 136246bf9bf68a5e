import Glibc

/// The place of a component's resources: a directory next to its file, or next to the program that it is linked into.
package struct ResourcePlace: Sendable {
    /// The name of the component.
    package let component: String
    /// The Swift module of the component.
    let module: String
    /// The directory that contains the component's file.
    let folder: String

    package init(component: String, module: String, folder: String) {
        self.component = component
        self.module = module
        self.folder = folder
    }

    /// The path of the directory that a component without SwiftPM's bundle has.
    var expectedPath: String {
        folder.isEmpty || folder == "/" ? "\(folder)\(component).resources" : "\(folder)/\(component).resources"
    }

    /// Opens the directory.
    ///
    /// - Returns: nil if the component has none.
    /// - Throws: The error of the policy if it refuses the directory, one above it or a link in its place;
    ///   `notADirectory` if it is a file; `malformed` if it could be either of two; `notReadable`.
    func open(_ checker: inout TrustChecker) throws(ComponentFileError) -> OpenDirectory? {
        // Without checks, because a folder that is not trusted costs a component nothing if it has no resources there.
        guard let name = try find() else { return nil }
        let parent = try checker.openDirectory(folder)
        do throws(ComponentFileError) {
            return try checker.openResources([name], in: parent)
        } catch {
            guard error.code == .linkOutside, !checker.policy.isChecked else { throw error }
            return try checker.openDirectory(parent.path(of: name), as: .resources)
        }
    }

    /// Returns the name of the directory; nil if there is none.
    private func find() throws(ComponentFileError) -> String? {
        // The system does not report the path of every program.
        guard !folder.isEmpty else { return nil }
        var checker = TrustChecker(policy: .unchecked)
        let parent: OpenDirectory
        do throws(ComponentFileError) {
            parent = try checker.openDirectory(folder)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
        let own = "\(component).resources"
        var status = stat()
        if unsafe fstatat(parent.descriptor, own, &status, AT_SYMLINK_NOFOLLOW) == 0 { return own }
        let bundles = try bundles(in: parent)
        guard bundles.count < 2 else {
            throw ComponentFileError(
                code: .malformed,
                message: "several bundles could be its own: \(bundles.joined(separator: ", "));"
                    + " rename the right one to \(own)")
        }
        return bundles.first
    }

    /// Returns the names of SwiftPM's bundles for the module, `PACKAGE_TARGET.resources`, in ascending order.
    private func bundles(in directory: borrowing OpenDirectory) throws(ComponentFileError) -> [String] {
        guard !module.isEmpty else { return [] }
        let end = "_\(module).resources"
        var found: [String] = []
        try directory.forEachName { name, _ in
            // A module has underscores where its target has hyphens.
            if name.hasSuffix(".resources"), name.replacing("-", with: "_").hasSuffix(end) { found.append(name) }
            return true
        }
        return found.sorted()
    }
}

extension OpenDirectory {
    /// Calls `body` with the name of each entry that is UTF-8, except `.` and `..`, and the type that the file system
    /// reports (`DT_REG` and so on), until it returns false.
    func forEachName(_ body: (String, Int32) -> Bool) throws(ComponentFileError) {
        // A new description: a duplicate would share its position with the descriptor.
        let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            let error = errno
            if copy >= 0 { close(copy) }
            throw .system(error, while: "list")
        }
        defer { unsafe closedir(stream) }
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { unsafe UnsafeRawPointer($0) }
                .assumingMemoryBound(to: CChar.self)
            guard let text = unsafe String(validatingCString: name), text != ".", text != ".." else { continue }
            guard unsafe body(text, Int32(entry.pointee.d_type)) else { return }
        }
        if errno != 0 { throw .system(errno, while: "list") }
    }
}

extension ResourcePlace {
    /// The place for a component with this manifest.
    ///
    /// - Parameter path: the path of its file.
    package init(of manifest: Manifest, at path: String) {
        self.init(component: manifest.name, module: manifest.module, folder: TrustChecker.split(path).directory)
    }
}
