import Glibc
import SystemSupport

/// Where this program was found, and so the files of the contract that lie there.
enum ProgramPlace {
    /// A build of the package in this directory.
    case package(String)
    /// Below a prefix, with the contract in this directory.
    case installed(contract: String)
    /// A copy of the program alone.
    case alone

    /// Looks from the program's own path upwards.
    static let current: ProgramPlace = {
        guard let program = programPath else { return .alone }
        var directory = program.directory
        let contract = "\(directory.directory)/include/hslink"
        if exists("\(contract)/hslink.h") { return .installed(contract: contract) }
        while directory != "/" {
            directory = directory.directory
            if isPackage(directory) { return .package(directory) }
        }
        return .alone
    }()

    /// The absolute path of this program, without links.
    static let programPath = RunningProgram.path

    /// Whether this package's manifest and contract lie in a directory.
    static func isPackage(_ directory: String) -> Bool {
        exists("\(directory)/Package.swift") && exists("\(directory)/Sources/CHSLink/include/hslink.h")
    }

    /// How this program is called from a shell: by its name where that finds it, else by its path.
    static var command: String {
        guard let program = programPath else { return "hslink" }
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
        let candidates = path.split(separator: ":").map { "\($0)/hslink" }
        let found = candidates.first { unsafe access($0, X_OK) == 0 }
        return found.flatMap(realPath) == program ? "hslink" : program.quotedForShell
    }

    /// The absolute path without links; nil where there is nothing.
    static func realPath(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func exists(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}

extension String {
    /// The path of the directory that this path is in; "/" for that itself.
    fileprivate var directory: String {
        guard let slash = lastIndex(of: "/"), slash != startIndex else { return "/" }
        return String(self[..<slash])
    }
}
