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

    /// Returns the components that a build has produced.
    func components() -> [BuiltComponent] {
        let places =
            switch tool {
            case .make: ["\(folder)/.build", "\(folder)/build", folder]
            case .swift: ["\(folder)/.build/debug"]
            }
        for place in places {
            let found = BuiltComponent.files(in: place, endings: [".so"]).compactMap { try? BuiltComponent($0) }
            if !found.isEmpty { return found }
        }
        return []
    }
}
