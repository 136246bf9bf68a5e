package import ComponentKit

/// What happens to the errors in the items of a description: reading stops at the first one, or goes on without the
/// item, to find them all.
struct DescriptionErrors {
    /// The errors that were found, in the order in which the description is read.
    private(set) var all: [PayloadError] = []
    private let isCollecting: Bool

    init(isCollecting: Bool) { self.isCollecting = isCollecting }

    /// Throws the error, or adds it to all.
    mutating func add(_ error: PayloadError) throws(PayloadError) {
        guard isCollecting else { throw error }
        all.append(error)
    }

    /// Returns what is read, or something in its place if that fails and reading goes on.
    mutating func value<Value>(
        or standIn: Value, _ read: () throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value {
        do throws(PayloadError) {
            return try read()
        } catch {
            try add(error)
            return standIn
        }
    }
}

extension LibraryDescription {
    /// Returns the errors at which ``init(_:)`` stops, one after the other, when the items that are wrong are corrected
    /// or left out. The description is read only once.
    package static func errors(in json: Payload) -> [PayloadError] {
        var errors = DescriptionErrors(isCollecting: true)
        do throws(PayloadError) {
            _ = try DescriptionText(json, &errors)
            return errors.all
        } catch {
            // Anything other than a map has no items.
            return [error]
        }
    }
}
