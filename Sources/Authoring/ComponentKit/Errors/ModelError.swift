/// An error that is a model: it crosses the boundary with its value, and can be caught on the other side as the type
/// that was thrown.
///
///     do {
///         try await account.signIn(name: "ada")
///     } catch let error as SignInError {
///         …
///     }
public protocol ModelError: Error, PayloadConvertible {
    /// The module and name that identify the model on both sides, such as `AccountContract.SignInError`.
    static var modelName: String { get }
}

extension LinkError {
    /// The domain of errors that are models.
    private static let modelDomain = "model"

    /// Creates the form in which a model crosses the boundary.
    init<Model: ModelError>(model error: Model) {
        self.init(
            domain: LinkError.modelDomain, number: 1, message: ErrorText.of(error),
            details: Payload(__fields: ("model", Payload(Model.modelName)), ("value", error.payload)))
    }

    /// The error that was thrown on the other side, if it is a model that this image contains too. Nil for other
    /// errors, which cross the boundary only as a `LinkError`.
    public var original: (any Error)? {
        guard domain == LinkError.modelDomain, let details, let name = try? details.string("model"),
            let type = ModelErrors.all[name]
        else { return nil }
        return try? ModelErrors.read(type, details)
    }

    /// Whose error a method's own failure is: the name of the model, else the domain and the number; empty for HSLink's
    /// own errors.
    package var origin: String {
        guard !domain.isEmpty else { return "" }
        guard domain == LinkError.modelDomain, let name = try? details?.string("model") else {
            return "\(domain) \(number)"
        }
        return name
    }

    /// The error to throw for a failed call: the original error if there is one, otherwise this error.
    public var originalOrSelf: any Error { original ?? self }
}

/// The models of this image that can be thrown. The same model in another image is a different type.
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
