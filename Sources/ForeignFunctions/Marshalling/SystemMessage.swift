import Glibc

/// The system's words about an `errno`.
func systemMessage(_ number: Int32) -> String {
    var words = [CChar](repeating: 0, count: 256)
    guard unsafe strerror_r(number, &words, words.count) == 0 else { return "error \(number)" }
    return String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
