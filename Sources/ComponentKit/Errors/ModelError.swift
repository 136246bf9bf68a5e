/// An error that is a model: it crosses with its value, and is caught on the other side as what was thrown.
///
///     do {
///         try await account.signIn(name: "ada")
///     } catch let error as SignInError {
///         …
///     }
public protocol ModelError: Error, PayloadConvertible {
    /// Module and name, as in `AccountContract.SignInError`: what both sides know the model by.
    static var modelName: String { get }
}

extension LinkError {
    /// The domain of errors that are models.
    private static let modelDomain = "model"

    /// The form in which a model crosses.
    init<Model: ModelError>(model error: Model) {
        self.init(
            domain: LinkError.modelDomain, number: 1, message: "\(error)",
            details: Payload(__fields: ("model", Payload(Model.modelName)), ("value", error.payload)))
    }

    /// The error that was thrown on the other side, where it is a model that this file knows too; nil for all
    /// others, of which only this description crossed.
    public var original: (any Error)? {
        guard domain == LinkError.modelDomain, let details, let name = try? details.string("model"),
            let type = ModelErrors.all[name]
        else { return nil }
        return try? ModelErrors.read(type, details)
    }

    /// What to throw for a call that failed so: the original where there is one, else this error.
    public var originalOrSelf: any Error { original ?? self }
}

/// The models of this image that can be thrown. Models of other images are other types.
private enum ModelErrors {
    static let all: [String: any ModelError.Type] = {
        var all: [String: any ModelError.Type] = [:]
        for entry in LinkedComponent.entries {
            if case .modelError(let name, let type) = entry.content { all["\(entry.module).\(name)"] = type }
        }
        return all
    }()

    static func read<Model: ModelError>(_ type: Model.Type, _ details: Payload) throws(PayloadError) -> any Error {
        try details.value("value", as: type)
    }
}
