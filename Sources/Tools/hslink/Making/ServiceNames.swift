import SystemSupport

/// The names that the scaffolds of a contract, of its provider and of its consumers share.
struct ServiceNames {
    /// The module of the contract.
    let contract: String
    /// What the service is about, as in "Weather".
    let subject: String

    init(contract: String, subject: String) {
        self.contract = contract
        self.subject = subject
    }

    /// The names for a contract in a module of its own, which need not end in "Contract".
    init(contract: String) {
        let subject = contract.hasExactSuffix("Contract") ? String(contract.dropLast("Contract".count)) : contract
        self.init(contract: contract, subject: subject.isEmpty ? contract : subject)
    }

    /// The protocol.
    var type: String { "\(subject)Service" }
    /// The model that the service returns.
    var model: String { "\(subject)Greeting" }
    /// The scheme of the URLs of the contract.
    var scheme: String { subject.lowercased() }
}
