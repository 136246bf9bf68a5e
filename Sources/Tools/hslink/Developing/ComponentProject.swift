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
        switch tool {
        case .make:
            for place in ["\(folder)/.build", "\(folder)/build", folder] {
                let found = ComponentProject.components(in: place)
                if !found.isEmpty { return found }
            }
            return []
        case .swift:
            guard let shared = RunningProgram.variable("SWIFTPM_BUILD_DIR"), !shared.isEmpty else {
                return ComponentProject.components(in: "\(folder)/.build/debug")
            }
            return ComponentProject.components(in: "\(AbsolutePath.of(shared))/debug").filter(isOwn)
        }
    }

    private static func components(in place: String) -> [BuiltComponent] {
        BuiltComponent.files(in: place, endings: [".so"]).compactMap { try? BuiltComponent($0) }
    }

    /// Returns whether a component in a folder that packages share is a product of this one: Package.swift has its name.
    private func isOwn(_ component: BuiltComponent) -> Bool {
        guard let bytes = try? InputFile.read("\(folder)/Package.swift", limit: 1 << 20) else { return false }
        let name = component.file.splitPath.name.dropFirst("lib".count).dropLast(".so".count)
        return String(decoding: bytes, as: UTF8.self).contains("\"\(name)\"")
    }
}
