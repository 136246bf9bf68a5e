public import ComponentKit

/// Why ComponentOwner did not do what it was asked for.
@Model public enum OwnerError: Error, Hashable, Sendable {
    /// What is wrong with the database.
    @Model public enum StorageFailure: String, Hashable, Sendable, CaseIterable {
        case unavailable, unwritable, corrupt, newerSchema, locked, full, other
    }

    /// Whoever is signed in has none of this number.
    case notFound(item: OwnerItem, id: Int64)
    /// A field cannot be kept as it is.
    case invalid(field: String, reason: String)
    /// EMAccount is there, but could not tell who is signed in: whose data it is remains unknown.
    case account(message: String)
    /// The reader of changes fell too far behind; read the lists anew and begin again.
    case tooSlow
    /// The database could not be read or written: nothing was changed.
    case storage(failure: StorageFailure, message: String)
}

extension OwnerError: CustomStringConvertible {
    /// A sentence.
    public var description: String {
        switch self {
        case .notFound(let item, let id): "there is no \(item.rawValue) \(id); list them to see which there are"
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .account(let message): "who is signed in could not be found out: \(message)"
        case .tooSlow: "too many changes have not been read; read the lists anew and begin again"
        case .storage(_, let message): message
        }
    }
}
