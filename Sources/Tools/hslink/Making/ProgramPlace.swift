import Glibc
import ProgramRunning
import SystemSupport

/// The location of this program, which determines where the contract's files are.
enum ProgramPlace {
    /// The program was built in the package in this directory.
    case package(String)
    /// The program is installed below a prefix, with the contract in this directory.
    case installed(contract: String)
    /// The program was copied without other files.
    case alone

    /// The location, found by searching upwards from the program's path.
    static let current: ProgramPlace = {
        guard let program = programPath else { return .alone }
        var directory = program.splitPath.directory
        let contract = "\(directory.splitPath.directory)/include/hslink"
        if exists("\(contract)/hslink.h") { return .installed(contract: contract) }
        while directory != "/" {
            directory = directory.splitPath.directory
            if isPackage(directory) { return .package(directory) }
        }
        return .alone
    }()

    /// The absolute path of this program, with symbolic links resolved.
    static let programPath = RunningProgram.path

    /// Returns whether a directory contains the manifest and the contract of the HSLink package.
    static func isPackage(_ directory: String) -> Bool {
        exists("\(directory)/Package.swift") && exists("\(directory)/Sources/Boundary/CHSLink/include/hslink.h")
    }

    /// The command that runs this program in a shell: its name if that is in PATH, else its quoted path.
    static var command: String {
        guard let program = programPath else { return "hslink" }
        let found = ProgramSearch.program("hslink").flatMap(AbsolutePath.resolved)
        return found == program ? "hslink" : program.quotedForShell
    }

    private static func exists(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}
