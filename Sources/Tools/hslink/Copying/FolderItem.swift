import Glibc
import SystemSupport

/// A file, a folder or a link somewhere in a folder.
struct FolderItem: Hashable {
    enum Kind: Hashable {
        case file, folder
        case link(to: ExactText)
        /// A pipe, a socket or a device.
        case other
    }

    /// The path in the folder.
    let name: ExactText
    let kind: Kind

    /// Returns everything in a folder and below, each folder before what is in it. Links are not followed.
    ///
    /// - Throws: a ``DevError`` if a folder cannot be read, or a name is not UTF-8: no host opens such a file.
    static func all(in root: String) throws(DevError) -> [FolderItem] {
        var found: [FolderItem] = []
        var rest = [""]
        while let folder = rest.popLast() {
            for name in try names(in: root + folder) {
                let path = "\(folder)/\(name)"
                let item = FolderItem(
                    name: ExactText(path.without(exactPrefix: "/")), kind: try kind(of: root + path))
                found.append(item)
                if item.kind == .folder { rest.append(path) }
            }
        }
        return found
    }

    private static func names(in folder: String) throws(DevError) -> [String] {
        let entries: [DirectoryEntries.Entry]
        do throws(DirectoryEntries.Failure) {
            let opened = try DirectoryEntries(folder)
            entries = Array(opened)
            try opened.checkComplete()
        } catch {
            throw DevError("\(folder.escaped): cannot be read: \(systemMessage(error.number))")
        }
        if let other = entries.first(where: { !$0.isText }) {
            throw DevError("\(folder.escaped): expected names in UTF-8, found \(other.name.quoted())")
        }
        return entries.map(\.name).sortedExactly()
    }

    private static func kind(of path: String) throws(DevError) -> Kind {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw DevError("\(path.escaped): cannot be read: \(systemMessage(errno))")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        case S_IFLNK:
            var text = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = unsafe readlink(path, &text, text.count)
            guard count >= 0,
                let target = String(validating: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            else {
                throw DevError("\(path.escaped): a link that cannot be read")
            }
            return .link(to: ExactText(target))
        default: return .other
        }
    }
}
