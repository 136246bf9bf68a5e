import ComponentHost
import ComponentKit
import Glibc
import ProgramRunning
import SystemSupport

/// Compares the descriptors of components with their manifests, each in a process of its own: a file that crashes when it
/// is loaded, or that prints something, disturbs no other.
enum LoadedCheck {
    /// Returns what a process of this program found in a file.
    static func problems(of path: String) -> [String] {
        guard let program = RunningProgram.path else { return ["it was not loaded: /proc/self/exe cannot be read"] }
        do throws(ProgramError) {
            let run = try ProgramOutput.of(program, ["check", "--load-here", "--", path], input: "")
            let signal = run.status & 0x7F
            guard signal == 0 else {
                return ["loading it ends the process with signal \(signal) (\(LoadedCheck.name(of: signal)))"]
            }
            // The component may have printed lines before.
            let text = String(decoding: run.standardOutput, as: UTF8.self)
            guard let line = text.exactParts(between: "\n").last, let found = try? Payload(json: line),
                let problems = try? found.items().map({ try $0.string() })
            else { return ["loading it ends the process with status \(run.status >> 8 & 0xFF)"] }
            return problems
        } catch {
            return ["it was not loaded: \(error.message)"]
        }
    }

    /// Loads a file into this process, and prints what was found as a JSON array on the last line.
    static func printProblems(of path: String) throws {
        let problems = DescriptorCheck.problems(of: path)
        // Ends what the component may have printed.
        try Output.result("")
        try Output.json(try Payload.array(problems.map { .string($0) }).json())
        // Initialisers may have started threads that exit handlers would wait for.
        _exit(0)
    }

    private static func name(of signal: Int32) -> String {
        switch signal {
        case SIGSEGV: "SIGSEGV"
        case SIGABRT: "SIGABRT"
        case SIGILL: "SIGILL"
        case SIGBUS: "SIGBUS"
        case SIGFPE: "SIGFPE"
        case SIGTRAP: "SIGTRAP"
        default: "see signal(7)"
        }
    }
}
