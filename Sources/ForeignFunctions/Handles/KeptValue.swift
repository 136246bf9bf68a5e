import ComponentKit
import SystemSupport

/// A value that C knows as a pointer, which it may pass back: to a callback, or as a result.
final class KeptValue: Sendable {
    private let value: Payload
    private let number: UInt

    private struct Reference: Sendable {
        weak let value: KeptValue?
    }

    private struct Table: Sendable {
        /// The values that are alive, by their numbers: what C passes back may be any pointer.
        var references: [UInt: Reference] = [:]
        var lastNumber: UInt = 0
    }

    private static let table = Lock(Table())

    init(_ value: Payload) {
        self.value = value
        number = KeptValue.table.withLock { table in
            // No number is used twice, so that an old pointer never leads to a new value.
            table.lastNumber += 1
            return table.lastNumber
        }
        let reference = Reference(value: self)
        KeptValue.table.withLock { [number] in $0.references[number] = reference }
    }

    deinit { KeptValue.table.withLock { [number] in $0.references[number] = nil } }

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
        guard rest == 0, let kept = table.withLock({ $0.references[number]?.value }) else {
            throw LinkError(
                .invalidReply,
                message: "C has passed back a pointer that belongs to no value: none was passed for it, or it was not "
                    + "\"kept\" long enough")
        }
        return kept.value
    }
}
