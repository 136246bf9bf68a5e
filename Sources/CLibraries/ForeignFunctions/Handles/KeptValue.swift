import ComponentKit
import SystemSupport

/// A value that C knows as a pointer, which it may pass back: to a callback, or as a result. The value is known as long
/// as this object exists.
final class KeptValue: Sendable {
    private struct Table: Sendable {
        /// The values by their numbers: what C passes back may be any pointer.
        var values: [UInt: Payload] = [:]
        /// No number is used twice, so that an old pointer never leads to a new value.
        var lastNumber: UInt = 0
    }

    private static let table = Lock(Table())

    private let number: UInt

    init(_ value: Payload) {
        number = KeptValue.table.withLock { table in
            table.lastNumber += 1
            table.values[table.lastNumber] = value
            return table.lastNumber
        }
    }

    deinit {
        // The value is released outside of the lock: an object in it may run code of a component.
        let number = number
        withExtendedLifetime(KeptValue.table.withLock { $0.values.removeValue(forKey: number) }) {}
    }

    /// Libraries may use the lowest bits of pointers for themselves.
    private static let alignment: UInt = 16

    /// What C passes around. It leads nowhere.
    var pointer: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: number * KeptValue.alignment) }

    /// Returns the value that C knows as a pointer; null for a null pointer.
    ///
    /// - Throws: `LinkError` if no such value is kept, or not any more.
    static func value(at pointer: UnsafeRawPointer?) throws(LinkError) -> Payload {
        guard let pointer = unsafe pointer else { return .null }
        let (number, rest) = UInt(bitPattern: pointer).quotientAndRemainder(dividingBy: alignment)
        guard rest == 0, let value = table.withLock({ $0.values[number] }) else {
            throw LinkError(
                .invalidReply,
                message: "C has passed back a pointer that belongs to no value: none was passed for it, or it was not "
                    + "\"kept\" long enough")
        }
        return value
    }
}
