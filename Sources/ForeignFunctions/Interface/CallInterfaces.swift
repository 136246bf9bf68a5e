import ComponentKit

/// The prepared signatures of a library, one for each that occurs.
final class CallInterfaces: Sendable {
    private struct Signature: Hashable {
        let result: InterfaceType
        let arguments: [InterfaceType]
        let fixedCount: Int?
    }

    private let prepared = Lock<[Signature: CallInterface]>([:])

    /// Far more than a library has; each list of types that a variadic function is called with is one.
    private static let limit = 4096

    /// - Returns: nil when libffi refuses.
    func interface(result: InterfaceType, arguments: [InterfaceType], fixedCount: Int? = nil) -> CallInterface? {
        let signature = Signature(result: result, arguments: arguments, fixedCount: fixedCount)
        return prepared.withLock { prepared in
            if let known = prepared[signature] { return known }
            guard let made = CallInterface(result: result, arguments: arguments, fixedCount: fixedCount) else {
                return nil
            }
            // What is beyond is made again for each call.
            if prepared.count < CallInterfaces.limit { prepared[signature] = made }
            return made
        }
    }
}
