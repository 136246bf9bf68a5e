import Foundation
import TestSupport

/// Runs the built `hslink`.
func hslink(
    _ arguments: String..., environment: [String: String?] = [:], input: String? = nil
) async throws -> ProgramRun {
    try await ProgramRun.of(BuiltProducts.hslink, arguments, environment: environment, input: input)
}

/// The same with a list.
func hslink(_ arguments: [String]) async throws -> ProgramRun {
    try await ProgramRun.of(BuiltProducts.hslink, arguments)
}

/// A program that printed this and nothing else, and ended well.
func printed(_ lines: String...) -> ProgramRun {
    ProgramRun(standardOutput: lines.map { $0 + "\n" }.joined(), standardError: "", status: 0)
}

/// A program that said this on standard error, printed nothing, and failed.
func failed(_ lines: String..., status: Int32 = 1) -> ProgramRun {
    ProgramRun(standardOutput: "", standardError: lines.map { $0 + "\n" }.joined(), status: status)
}
