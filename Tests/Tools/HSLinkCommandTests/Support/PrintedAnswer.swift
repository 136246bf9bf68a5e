import Foundation
import TestSupport

/// The output of `hslink call --json`.
struct PrintedAnswer: Decodable, Hashable {
    let performSuccess: Bool
    let classIsLoad: Bool
    let error: Failure?

    struct Failure: Decodable, Hashable {
        let code: String
        let message: String
        let component: String?
        let domain: String?
        let number: Int?
        let cause: [Failure]

        enum CodingKeys: CodingKey {
            case code, message, component, domain, number, cause
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            code = try container.decode(String.self, forKey: .code)
            message = try container.decode(String.self, forKey: .message)
            component = try container.decodeIfPresent(String.self, forKey: .component)
            domain = try container.decodeIfPresent(String.self, forKey: .domain)
            number = try container.decodeIfPresent(Int.self, forKey: .number)
            cause = try container.decodeIfPresent(Failure.self, forKey: .cause).map { [$0] } ?? []
        }
    }

    /// - Throws: An error if standard output is not exactly one object on one line.
    init(_ run: ProgramRun) throws {
        let lines = run.standardOutput.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 2, lines[1].isEmpty else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "one line was expected, there was: \(run)"))
        }
        self = try JSONDecoder().decode(PrintedAnswer.self, from: Data(lines[0].utf8))
    }
}
