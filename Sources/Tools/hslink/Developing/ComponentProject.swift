import Glibc
import SystemSupport

/// A folder with the sources of components, and the tool that builds them.
struct ComponentProject {
    /// The absolute path, with symbolic links resolved.
    let folder: String
    private let tool: Tool

    private enum Tool {
        case make, swift
    }

    /// - Throws: a ``DevError`` if the folder cannot be used or has neither a Makefile nor a Package.swift.
    init(_ path: String) throws(DevError) {
        guard let folder = AbsolutePath.resolved(path) else {
            throw DevError("\(path.escaped): cannot be used: \(systemMessage(errno))")
        }
        func has(_ name: String) -> Bool { unsafe access("\(folder)/\(name)", R_OK) == 0 }
        if ["GNUmakefile", "makefile", "Makefile"].contains(where: has) {
            tool = .make
        } else if has("Package.swift") {
            tool = .swift
        } else {
            throw DevError("\(folder.escaped): expected a Makefile or a Package.swift, found neither")
        }
        self.folder = folder
    }

    /// The build command, split into words.
    var build: [String] {
        switch tool {
        case .make: ["make", "-C", folder]
        case .swift: ["swift", "build", "--package-path", folder]
        }
    }

    /// Returns the component files that a build has produced.
    func components() -> [String] {
        let places =
            switch tool {
            case .make: ["\(folder)/.build", "\(folder)/build", folder]
            case .swift: ["\(folder)/.build/debug"]
            }
        for place in places {
            let found = ComponentProject.libraries(in: place).filter { FileReport($0).error == nil }
            if !found.isEmpty { return found }
        }
        return []
    }

    private static func libraries(in directory: String) -> [String] {
        guard let entries = try? DirectoryEntries(directory) else { return [] }
        let names = entries.filter(\.isText).map(\.name)
        return names.filter { $0.hasExactSuffix(".so") && !$0.hasExactPrefix(".") }.sortedExactly().map {
            "\(directory)/\($0)"
        }
    }
}

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

    /// Copies a file under a temporary name and renames the copy, so a host never sees a partial file, and a host that
    /// has loaded the previous file keeps it.
    func put(_ file: String) throws(DevError) {
        let name = file.exactParts(between: "/").last ?? file
        let target = "\(path)/\(name)"
        let draft = "\(path)/.\(name).\(getpid())"
        do throws(DevError) {
            try HostDirectory.copy(file, to: draft)
            guard unsafe rename(draft, target) == 0 else {
                throw DevError("\(target.escaped): cannot be written: \(systemMessage(errno))")
            }
        } catch {
            unsafe unlink(draft)
            throw error
        }
    }

    private static func copy(_ source: String, to target: String) throws(DevError) {
        let input = unsafe open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw DevError("\(source.escaped): cannot be read: \(systemMessage(errno))") }
        defer { close(input) }
        unsafe unlink(target)
        let output = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o755)
        guard output >= 0 else { throw DevError("\(target.escaped): cannot be written: \(systemMessage(errno))") }
        defer { close(output) }
        guard fchmod(output, 0o755) == 0 else {
            throw DevError("\(target.escaped): cannot be written: \(systemMessage(errno))")
        }
        while true {
            let count = sendfile(output, input, nil, 1 << 30)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw DevError("\(target.escaped): cannot be written: \(systemMessage(errno))") }
            if count == 0 { return }
        }
    }
}
