import ComponentHost
import Glibc
import SystemSupport

/// A directory that a host scans for components.
struct HostDirectory {
    let path: String

    /// Creates the directory and its missing parents.
    func make() throws(DevError) {
        var place = path.hasExactPrefix("/") ? "" : "."
        for part in path.exactParts(between: "/") {
            place += "/\(part)"
            guard unsafe mkdir(place, 0o755) == 0 || errno == EEXIST else {
                throw DevError("\(place.escaped): cannot be created: \(systemMessage(errno))")
            }
        }
    }

    /// Copies a component and its resources, as far as they have changed. One program at a time does so.
    ///
    /// - Returns: what has been copied, as lines for people.
    /// - Throws: a ``DevError`` if something cannot be copied, or if a host would take other resources than those. What
    ///   has not been copied is as it was.
    @discardableResult
    func put(_ component: BuiltComponent) throws(DevError) -> [String] {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DevError("\(path.escaped): cannot be read: \(systemMessage(errno))") }
        // Releases the lock.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw DevError("\(path.escaped): cannot be locked: \(systemMessage(errno))") }
        }
        let resources = try component.resources()
        var lines: [String] = []
        // First, so that a component that appears has its resources.
        if let resources { lines.append(try put(resources)) }
        lines.append(try put(component.file))
        try refuseOther(than: resources?.name, of: component)
        return lines
    }

    private func put(_ resources: BuiltComponent.Folder) throws(DevError) -> String {
        let target = "\(path)/\(resources.name)"
        let changes = try FolderCopy(source: resources.path, target: target).perform()
        if changes.isNothing { return "\(target): unchanged" }
        let removed = changes.removed > 0 ? ", \(changes.removed) removed" : ""
        return "\(target): \(changes.copied) \(changes.copied == 1 ? "file" : "files") copied\(removed)"
    }

    /// Copies a file under a temporary name and renames the copy, so a host never sees a partial file, and a host that
    /// has loaded the previous file keeps it.
    private func put(_ file: String) throws(DevError) -> String {
        let name = file.splitPath.name
        let target = "\(path)/\(name)"
        let mode: mode_t = name.hasExactSuffix(DescriptionFile.suffix) ? 0o644 : 0o755
        if FileCopy.isCurrent(target, of: file, mode: mode) { return "\(target): unchanged" }
        let draft = "\(path)/.\(name).new"
        do throws(DevError) {
            try FileCopy.copy(file, to: draft, mode: mode, followsLink: true)
            guard unsafe rename(draft, target) == 0 else { throw FileCopy.cannotWrite(target) }
        } catch {
            unsafe unlink(draft)
            throw error
        }
        return "\(target): copied"
    }

    /// Refuses other resources in the directory that a host would take instead, such as those of an earlier build.
    private func refuseOther(than name: String?, of component: BuiltComponent) throws(DevError) {
        let taken: String?
        do throws(ComponentFileError) {
            let file = "\(AbsolutePath.of(path))/\(component.file.splitPath.name)"
            taken = try ResourcePlace(of: component.manifest, at: file).name()
        } catch {
            throw DevError("\(path.escaped): the resources of \(component.manifest.name): \(error.message.escaped)")
        }
        guard let taken, !(name.map { $0.isExactly(taken) } ?? false) else { return }
        let now = name.map { "they are \($0) now" } ?? "it has none now"
        throw DevError(
            "\(path)/\(taken): a host takes this folder as the resources of \(component.manifest.name), but \(now); "
                .escaped + "remove the folder")
    }
}
