public import ComponentKit

/// The service of ComponentOwner: the profile of the signed-in user, with addresses and companies.
///
/// The user is the one who is signed in in the session of the call, `Session.current`. If none is, or EMAccount is
/// missing, the owner is the guest, and ``OwnerProfile`` gives the reason. Each user has separate data. So does the
/// guest of each session in which no user is signed in. All functions throw ``OwnerError``, or a `LinkError` if the
/// component is missing.
///
/// URLs only read, and none can be opened from outside. They open the profile for the guest too, but addresses and
/// companies only for a signed-in user.
@LinkService("org.hslink.owner/1")
public protocol OwnerService: Sendable {
    /// Returns the owner of the data, and the number of addresses and companies.
    @Route("studio://owner")
    func profile() async throws -> OwnerProfile

    /// Returns a small picture of the owner: the initials of the user's name, or NXUI's icon for the guest, in the
    /// colours of NXUI. Without NXUI, there are other colours, and the guest has initials too.
    func portrait() async throws -> Portrait

    /// Returns all addresses, oldest first.
    @Route("studio://owner/addresses", tags: ["signed-in"])
    func addresses() async throws -> [Address]

    /// Returns an address.
    ///
    /// - Throws: `notFound`.
    @Route("studio://owner/addresses/:id", tags: ["signed-in"])
    func address(id: Int64) async throws -> Address

    /// Adds an address.
    ///
    /// - Parameters:
    ///   - label: The purpose of the address, as in "Home".
    ///   - street: The street with the house number; several lines are fine.
    ///   - city: The city, with a district or region if needed.
    ///   - postalCode: The postal code, as written in that country.
    ///   - country: The name of the country.
    /// - Returns: The address with its identifier.
    /// - Throws: `invalid` if the label, street or city is empty, or a text is longer than 200 characters or has
    ///   control characters.
    func addAddress(
        label: String, street: String, city: String, postalCode: String?, country: String?
    ) async throws -> Address

    /// Deletes an address.
    ///
    /// - Throws: `notFound`.
    func deleteAddress(id: Int64) async throws

    /// Returns all companies, oldest first.
    @Route("studio://owner/companies", tags: ["signed-in"])
    func companies() async throws -> [Company]

    /// Returns a company.
    ///
    /// - Throws: `notFound`.
    @Route("studio://owner/companies/:id", tags: ["signed-in"])
    func company(id: Int64) async throws -> Company

    /// Adds a company.
    ///
    /// - Parameters:
    ///   - name: The name of the company.
    ///   - position: The owner's position, as in "Engineer".
    ///   - city: The city of the company.
    ///   - website: The address of its website.
    /// - Returns: The company with its identifier.
    /// - Throws: `invalid` if the name is empty, or a text is longer than 200 characters or has control characters.
    func addCompany(name: String, position: String?, city: String?, website: String?) async throws -> Company

    /// Deletes a company.
    ///
    /// - Throws: `notFound`.
    func deleteCompany(id: Int64) async throws

    /// Returns the additions, changes and deletions for the owner from now on, in order: for the one at the time of the call,
    /// whoever signs in later. Releasing the sequence ends it. A reader that falls behind by more than 256 changes receives the first 256, and then the error `tooSlow`: it
    /// should read the lists again and start a new sequence.
    func changes() async throws -> AsyncThrowingStream<OwnerChange, any Error>
}

/// The reason ComponentOwner refused a request.
@Model public enum OwnerError: Error, Hashable, Sendable {
    /// A kind of database failure.
    @Model public enum StorageFailure: String, Hashable, Sendable, CaseIterable {
        case unavailable, unwritable, corrupt, newerSchema, locked, full, other
    }

    /// The owner has no such item.
    case notFound(item: OwnerItem, id: Int64)
    /// The text in a field is invalid.
    case invalid(field: String, reason: String)
    /// EMAccount exists but could not report the signed-in user, so the owner is unknown.
    case account(message: String)
    /// The reader of changes fell too far behind; read the lists again and start a new sequence.
    case tooSlow
    /// The database could not be read or written. Nothing was changed.
    case storage(failure: StorageFailure, message: String)
}

extension OwnerError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .notFound(let item, let id): "there is no \(item.rawValue) with ID \(id); list all to see which exist"
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .account(let message): "the signed-in user is unknown: \(message)"
        case .tooSlow: "too many changes have not been read; read the lists again and start over"
        case .storage(_, let message): message
        }
    }
}
