/// Which service a client speaks to: what its protocol is called, and what its functions are.
public struct ServiceDescription: Sendable, Hashable {
    /// As in "com.example.account/1": the same in all programs and languages.
    public let name: String
    /// The Swift protocol, for messages.
    public let protocolName: String
    /// The selectors of its functions, in the order of the protocol.
    public let selectors: [String]

    /// - Parameters:
    ///   - name: as in "com.example.account/1".
    ///   - protocolName: the Swift protocol, for messages.
    ///   - selectors: those of its functions, in the order in which a client calls them.
    public init(name: String, protocolName: String, selectors: [String]) {
        self.name = name
        self.protocolName = protocolName
        self.selectors = selectors
    }
}
