public import ComponentKit

/// What ComponentOwner offers: the profile of whoever is signed in, with addresses and companies.
///
/// Where nobody is signed in, or nobody can be since there is no EMAccount, all of it is a guest's, and
/// ``OwnerProfile`` says why. Each user has data of their own, and so has the guest. All functions throw
/// ``OwnerError``, or a `LinkError` where the component is not there.
@LinkService("org.hslink.owner/1")
public protocol OwnerService: Sendable {
    /// Whose the data is, and how much there is.
    func profile() async throws -> OwnerProfile

    /// All addresses, the oldest first.
    func addresses() async throws -> [Address]

    /// The details of an address.
    ///
    /// - Throws: `notFound`.
    func address(id: Int64) async throws -> Address

    /// Adds an address.
    ///
    /// - Parameters:
    ///   - label: what it is for, as in "Home".
    ///   - street: with the number; several lines are fine.
    ///   - city: with what belongs to it.
    ///   - postalCode: as it is written there.
    ///   - country: its name.
    /// - Returns: with its identifier.
    /// - Throws: `invalid` for an empty label, street or city, or a text of more than 200 characters.
    func addAddress(
        label: String, street: String, city: String, postalCode: String?, country: String?
    ) async throws -> Address

    /// Deletes an address.
    ///
    /// - Throws: `notFound`.
    func deleteAddress(id: Int64) async throws

    /// All companies, the oldest first.
    func companies() async throws -> [Company]

    /// The details of a company.
    ///
    /// - Throws: `notFound`.
    func company(id: Int64) async throws -> Company

    /// Adds a company.
    ///
    /// - Parameters:
    ///   - name: of the company.
    ///   - position: what the owner is there, as in "Engineer".
    ///   - city: where it is.
    ///   - website: its address.
    /// - Returns: with its identifier.
    /// - Throws: `invalid` for an empty name, or a text of more than 200 characters.
    func addCompany(name: String, position: String?, city: String?, website: String?) async throws -> Company

    /// Deletes a company.
    ///
    /// - Throws: `notFound`.
    func deleteCompany(id: Int64) async throws

    /// What is added and deleted from now on, whoever's it is, in the order in which it happened. Letting go of the
    /// sequence ends it. A reader that falls behind by more than 256 changes gets those, and then the error
    /// `tooSlow`: it reads the lists anew and begins again.
    func changes() async throws -> AsyncThrowingStream<OwnerChange, any Error>
}

/// Why ComponentOwner refused a request.
@Model public enum OwnerError: Error, Hashable, Sendable {
    /// What is wrong with the database.
    @Model public enum StorageFailure: String, Hashable, Sendable, CaseIterable {
        case unavailable, unwritable, corrupt, newerSchema, locked, full, other
    }

    /// The signed-in user has no such item.
    case notFound(item: OwnerItem, id: Int64)
    /// A field cannot be kept as it is.
    case invalid(field: String, reason: String)
    /// EMAccount is there, but could not tell who is signed in, so the owner is unknown.
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
