import ComponentOwnerContract
import PageKit

/// Tells the form on a page which of its fields the model refuses.
func sayingWhichField(_ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch OwnerError.invalid(let field, let reason) {
        throw PageError.invalidValue(field: field, reason: reason)
    }
}
