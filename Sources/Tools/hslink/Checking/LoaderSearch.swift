import ComponentHost
import Glibc
import ProgramRunning
import SystemSupport

/// Finds libraries where the dynamic loader does, without loading them: in the directories of LD_LIBRARY_PATH, in the
/// loader's cache, and in the system's directories.
struct LoaderSearch {
    /// The paths by name, from the loader's cache.
    private let cache: [ExactText: String]
    private let directories: [String]
    private static let maximumLibraries = 256

    init() {
        let own = RunningProgram.variable("LD_LIBRARY_PATH") ?? ""
        directories = own.exactParts(between: ":") + ["/lib64", "/usr/lib64", "/lib", "/usr/lib"]
        var cache: [ExactText: String] = [:]
        let program = ProgramSearch.program("ldconfig") ?? "/sbin/ldconfig"
        if let run = try? ProgramOutput.of(program, ["-p"], input: ""), run.status == 0 {
            for line in String(decoding: run.standardOutput, as: UTF8.self).split(separator: "\n") {
                // As in "libz.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libz.so.1".
                guard let arrow = line.firstRange(of: " => "),
                    let name = line.split(whereSeparator: \.isWhitespace).first
                else { continue }
                if cache[ExactText(name)] == nil { cache[ExactText(name)] = String(line[arrow.upperBound...]) }
            }
        }
        self.cache = cache
    }

    /// Returns the path of a library; nil if it is not found.
    func path(of name: String) -> String? {
        if name.hasASCII("/") { return LoaderSearch.isThere(name) ? name : nil }
        return path(of: name, in: directories) ?? cache[ExactText(name)]
    }

    private func path(of name: String, in directories: [String]) -> String? {
        directories.first { LoaderSearch.isThere("\($0)/\(name)") }.map { "\($0)/\(name)" }
    }

    private static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Returns the symbols of a library and of those that it needs, as `dlsym` finds them.
    ///
    /// - Throws: `ComponentFileError` if the library itself cannot be read.
    func symbols(of path: String) throws(ComponentFileError) -> Set<ExactText> {
        var symbols: Set<ExactText> = []
        var paths = [path]
        var known: Set<ExactText> = [ExactText(path)]
        var next = 0
        while next < paths.count, next < LoaderSearch.maximumLibraries {
            do throws(ComponentFileError) {
                var checker = TrustChecker(policy: .unchecked)
                let file = try checker.openFile(path: paths[next])
                let elf = try ElfFile(descriptor: file.descriptor, size: file.identity.size)
                let dynamic = try elf.dynamic()
                symbols.formUnion(try elf.exportedSymbols(dynamic).map { ExactText($0) })
                let directory = file.path.splitPath.directory
                let beside = dynamic.runPath.compactMap { SearchEntry.expand($0, origin: directory) }
                for name in dynamic.needed {
                    if let found = self.path(of: name, in: beside) ?? self.path(of: name),
                        known.insert(ExactText(found)).inserted
                    {
                        paths.append(found)
                    }
                }
            } catch {
                if next == 0 { throw error }
            }
            next += 1
        }
        return symbols
    }
}
