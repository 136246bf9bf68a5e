/// The maps of one entry that stand for values that JSON has no words for.
///
/// A map that really has one key like theirs is written with one more `$` in front of it, and loses
/// one when it is read: no map can be mistaken for another value.
enum JSONForm: String, CaseIterable {
    case bytes = "$bytes"
    case date = "$date"
    case double = "$double"

    /// Whether a map with only this key is, or would be, written with one more `$` than it has.
    ///
    /// - Parameter key: the key as the payload has it.
    static func needsEscape(_ key: UnsafeRawBufferPointer) -> Bool {
        let dollars = unsafe key.prefix { $0 == UInt8(ascii: "$") }.count
        guard dollars > 0 else { return false }
        return allCases.contains { unsafe key.dropFirst(dollars - 1).elementsEqual($0.rawValue.utf8) }
    }
}
