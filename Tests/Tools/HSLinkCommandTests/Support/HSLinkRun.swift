import Foundation
import TestSupport

/// Runs the built `hslink`.
func hslink(
    _ arguments: String..., environment: [String: String?] = [:], input: String? = nil
) async throws -> ProgramRun {
    try await ProgramRun.of(BuiltProducts.hslink, arguments, environment: environment, input: input)
}

/// Runs the built `hslink` with a list of arguments.
func hslink(_ arguments: [String], environment: [String: String?] = [:]) async throws -> ProgramRun {
    try await ProgramRun.of(BuiltProducts.hslink, arguments, environment: environment)
}

/// Expects that the program printed exactly this, and succeeded.
func printed(_ lines: String...) -> ProgramRun {
    ProgramRun(standardOutput: lines.map { $0 + "\n" }.joined(), standardError: "", status: 0)
}

/// Expects that the program printed only this on standard error, and failed.
func failed(_ lines: String..., status: Int32 = 1) -> ProgramRun {
    ProgramRun(standardOutput: "", standardError: lines.map { $0 + "\n" }.joined(), status: status)
}
