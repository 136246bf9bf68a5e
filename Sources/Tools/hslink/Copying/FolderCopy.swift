import CGlibc
import Glibc
import SystemSupport

/// Copies a folder of resources next to a component. Who opens files there finds those of the former folder or those of
/// the new one, and nothing in between: the new one is made under a hidden name, and the two names are exchanged.
///
/// One copy is made at a time; see ``HostDirectory``. What an interrupted one has left is removed by the next.
struct FolderCopy {
    let source: String
    let target: String

    /// What a copy has changed.
    struct Changes {
        /// How many files and links are new or have other contents.
        var copied = 0
        /// How many there are no longer.
        var removed = 0
        /// Whether nothing has changed, not even permissions.
        var isNothing = false
    }

    private static let fileMode: mode_t = 0o644
    private static let folderMode: mode_t = 0o755

    /// Copies what has changed, and leaves out what has been deleted. Permissions are those that hosts accept.
    ///
    /// - Throws: a ``DevError`` if something cannot be read or written, is no file, folder or link, or is a link that
    ///   leads out of the folder. The former copy is as it was then.
    func perform() throws(DevError) -> Changes {
        let items = try FolderItem.all(in: source)
        for item in items { try check(item) }
        // One that cannot be read could not be removed either.
        let former = Set(isFolder(target) ? try FolderItem.all(in: target) : [])
        let current = Set(items.filter { former.contains($0) && isCurrent($0) })
        let names = Set(items.filter { $0.kind != .folder }.map(\.name))
        var changes = Changes()
        changes.copied = items.count { $0.kind != .folder && !current.contains($0) }
        changes.removed = former.count { $0.kind != .folder && !names.contains($0.name) }
        changes.isNothing =
            current.count == items.count && former.count == items.count && isFolder(target, mode: FolderCopy.folderMode)
        if !changes.isNothing { try replace(items, current: current) }
        return changes
    }

    /// Whether the former copy of something is as a new one would be.
    private func isCurrent(_ item: FolderItem) -> Bool {
        let copy = "\(target)/\(item.name)"
        return switch item.kind {
        case .file: FileCopy.isCurrent(copy, of: "\(source)/\(item.name)", mode: FolderCopy.fileMode)
        case .folder: isFolder(copy, mode: FolderCopy.folderMode)
        case .link, .other: true
        }
    }

    /// Refuses what no host would open.
    private func check(_ item: FolderItem) throws(DevError) {
        let path = "\(source)/\(item.name)"
        switch item.kind {
        case .file, .folder: return
        case .other: throw DevError("\(path.escaped): expected a file, a folder or a link, found something else")
        case .link(let text):
            guard leadsInside(item, to: text.text) else {
                throw DevError(
                    "\(path.escaped): a link that leads to \(text.text.quoted()), which is not a place in the folder of "
                        + "the resources; put the file there, or make the link relative")
            }
        }
    }

    /// Returns whether a link leads to something in the folder, and does so in a copy of the folder, too.
    private func leadsInside(_ link: FolderItem, to text: String) -> Bool {
        guard !text.hasExactPrefix("/") else { return false }
        var depth = link.name.text.exactParts(between: "/").count - 1
        for part in text.exactParts(between: "/") where part != "." {
            depth += part == ".." ? -1 : 1
            guard depth >= 0 else { return false }
        }
        guard let root = AbsolutePath.resolved(source),
            let end = AbsolutePath.resolved("\(source)/\(link.name)")
        else { return false }
        return end.isExactly(root) || end.hasExactPrefix("\(root)/")
    }

    private func isFolder(_ path: String, mode: mode_t? = nil) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        return mode.map { status.st_mode & 0o7777 == $0 } ?? true
    }

    // MARK: - Replacing

    /// Makes the new folder and puts it in the place of the former one.
    ///
    /// - Parameter current: what is the same in the former one.
    private func replace(_ items: [FolderItem], current: Set<FolderItem>) throws(DevError) {
        // Neither is taken for a component or for resources.
        let place = target.splitPath
        let (draft, former) = ("\(place.directory)/.\(place.name).new", "\(place.directory)/.\(place.name).old")
        for path in [draft, former] { try FolderCopy.remove(path) }
        do throws(DevError) {
            try make(items, in: draft, current: current)
            try exchange(draft, former)
        } catch {
            try? FolderCopy.remove(draft)
            throw error
        }
        for path in [draft, former] { try FolderCopy.remove(path) }
    }

    private func make(_ items: [FolderItem], in draft: String, current: Set<FolderItem>) throws(DevError) {
        try FolderCopy.makeFolder(draft)
        for item in items {
            let path = "\(draft)/\(item.name)"
            switch item.kind {
            case .folder: try FolderCopy.makeFolder(path)
            case .link(let text):
                guard unsafe symlink(text.text, path) == 0 else { throw FileCopy.cannotWrite(path) }
            case .file, .other:
                // The same file with another name, which takes no time however long it is.
                if current.contains(item), unsafe link("\(target)/\(item.name)", path) == 0 { continue }
                try FileCopy.copy("\(source)/\(item.name)", to: path, mode: FolderCopy.fileMode)
            }
        }
    }

    private static func makeFolder(_ path: String) throws(DevError) {
        // Whatever the umask.
        guard unsafe mkdir(path, 0o700) == 0, unsafe chmod(path, folderMode) == 0 else {
            throw FileCopy.cannotWrite(path)
        }
    }

    /// Gives the draft its name, which the former folder has.
    private func exchange(_ draft: String, _ former: String) throws(DevError) {
        let exchange: UInt32 = 2
        if unsafe renameat2(AT_FDCWD, draft, AT_FDCWD, target, exchange) == 0 { return }
        // There is none yet, or this file system cannot exchange names, even if there is none: then there is none for a
        // moment.
        if errno != ENOENT, unsafe rename(target, former) != 0, errno != ENOENT { throw FileCopy.cannotWrite(target) }
        guard unsafe rename(draft, target) == 0 else {
            let error = FileCopy.cannotWrite(target)
            unsafe rename(former, target)
            throw error
        }
    }

    /// Removes a folder with everything in it, or something else in its place. Links are not followed.
    private static func remove(_ path: String) throws(DevError) {
        if unsafe unlink(path) == 0 || errno == ENOENT { return }
        for item in try FolderItem.all(in: path).reversed() {
            let inside = "\(path)/\(item.name)"
            let status = unsafe item.kind == .folder ? rmdir(inside) : unlink(inside)
            guard status == 0 else { throw cannotRemove(inside) }
        }
        guard unsafe rmdir(path) == 0 else { throw cannotRemove(path) }
    }

    private static func cannotRemove(_ path: String) -> DevError {
        DevError("\(path.escaped): cannot be removed: \(systemMessage(errno))")
    }
}
