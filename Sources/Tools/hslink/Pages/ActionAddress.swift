import ComponentKit
import Crypto
import PageKit
import Routing
import SystemSupport

/// The address of an action on a page, for a command line: `addresses/42/delete`.
///
/// It consists of the name of the section, the keys of the views around the action, and the selector. If these do not
/// say everything that the action does, a check value of the effect is added: `lamps/7/set@3kq0x2vb`. So an address
/// leads to the same effect or to none, however the page has changed in between, and does not depend on the place of a
/// view among others.
struct ActionAddress: Hashable {
    let section: String
    /// The keys of the views around the action that have one, outermost first.
    let keys: [String]
    /// The selector of a call; else "open", "show", "refresh" or "more".
    let word: String
    /// The check value; nil if the other parts say everything.
    var check: String?

    /// The address on the command line: a word without spaces, quotation marks and invisible characters.
    var text: String {
        let parts = [section] + keys
        let path = parts.map { ActionAddress.encoded($0, allowing: "_.-+,:@") }.joined(separator: "/")
        let word = ActionAddress.encoded(word, allowing: "_.-+,:")
        let text = "\(path)/\(word)\(check.map { "@\($0)" } ?? "")"
        // An option has no value that begins with a dash.
        return text.hasExactPrefix("-") ? "%2D\(text.without(exactPrefix: "-"))" : text
    }

    /// Encodes everything except letters, digits and `allowed` as in a URL, and a mark without a letter in front, which
    /// would change how the address looks.
    private static func encoded(_ text: String, allowing allowed: String) -> String {
        var result = ""
        var isAfterLetter = false
        for scalar in text.unicodeScalars {
            var isKept =
                scalar.isASCII
                ? scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || allowed.unicodeScalars.contains(scalar)
                : (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    && String(scalar).escaped == String(scalar)
            if scalar.isMark && !isAfterLetter { isKept = false }
            isAfterLetter = isKept && scalar.properties.isAlphabetic
            if isKept { result.unicodeScalars.append(scalar) } else { result += scalar.percentEncoded }
        }
        return result
    }
}

extension ActionAddress {
    /// Reads an address; nil if it has fewer than two parts.
    init?(_ text: String) {
        // By bytes, since keys may begin with a combining mark.
        let parts = text.exactParts(between: "/", omittingEmpty: false)
        guard let section = parts.first, let last = parts.last, parts.count > 1 else { return nil }
        // An @ in a selector is encoded.
        let sign = last.utf8.firstIndex(of: UInt8(ascii: "@"))
        let word = String(last[..<(sign ?? last.endIndex)])
        guard !word.isEmpty else { return nil }
        self.init(
            section: section.percentDecoded, keys: parts[1..<(parts.count - 1)].map(\.percentDecoded),
            word: word.percentDecoded, check: sign.map { String(last[last.utf8.index(after: $0)...]) })
    }
}

extension Unicode.Scalar {
    /// Whether the scalar combines with the one in front of it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// The scalar as in a URL.
    var percentEncoded: String { String(self).utf8.percentEncoded { _ in false } }
}

extension Action {
    /// The word for the action in an address.
    fileprivate var word: String { parts == nil ? effect.word : "more" }
}

extension ActionEffect {
    /// The word for the effect in an address.
    var word: String {
        switch self {
        case .open: "open"
        case .call(let selector, _): selector
        case .show: "show"
        case .refresh: "refresh"
        }
    }

    /// Whether an address with these keys says everything that the effect does: there are no parameters, or the only
    /// one is the key of the view as `id`.
    func isSaid(by keys: [String]) -> Bool {
        switch self {
        case .open, .show: return false
        case .refresh: return true
        case .call(_, let parameters):
            guard !parameters.isEmpty else { return true }
            guard parameters.count == 1, let value = parameters["id"], let key = keys.last else { return false }
            return ((try? value.string()) ?? (try? value.int()).map { "\($0)" }) == key
        }
    }
}

/// The actions that a section of a page offers, with their addresses.
struct SectionActions {
    struct Entry {
        let address: ActionAddress
        let action: Action
        /// The fields whose values the action takes.
        let fields: [FieldContent]
    }

    let section: String
    private(set) var entries: [Entry] = []
    /// The addresses without check value that several different actions would have.
    private let shared: Set<ActionAddress>

    init(_ section: PageSection) {
        let name = section.name
        var found: [(keys: [String], action: Action, fields: [FieldContent])] = []
        SectionActions.visit(section.view, within: []) { found.append(($0, $1, $2)) }
        var meanings: [ActionAddress: Set<Meaning>] = [:]
        for (keys, action, fields) in found {
            let address = ActionAddress(section: name, keys: keys, word: action.word)
            meanings[address, default: []].insert(Meaning(action, fields))
        }
        self.section = name
        shared = Set(meanings.filter { $0.value.count > 1 }.keys)
        entries = found.map { keys, action, fields in
            Entry(address: address(of: action, keys: keys, fields: fields), action: action, fields: fields)
        }
    }

    /// What an action does, apart from what a person fills in.
    private struct Meaning: Hashable {
        let effect: ActionEffect
        let fields: [String]

        init(_ action: Action, _ fields: [FieldContent]) {
            effect = action.effect
            self.fields = fields.map(\.name)
        }

        /// Forty bits of its SHA-256 digest.
        var check: String {
            let bytes = (try? effect.payload.cbor()) ?? Array("\(effect)".utf8)
            let names = fields.map { "\u{0}\($0)" }.joined()
            let digest = SHA256.hash(data: bytes + Array(names.utf8))
            let number = digest.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
            return String((0..<8).map { digits[Int(number >> (35 - 5 * $0) & 31)] })
        }
    }

    /// Returns the address of an action of a view in the section.
    ///
    /// - Parameters:
    ///   - keys: the keys of the view and of those around it.
    ///   - fields: the fields whose values the action takes.
    func address(of action: Action, keys: [String], fields: [FieldContent]) -> ActionAddress {
        var address = ActionAddress(section: section, keys: keys, word: action.word)
        if shared.contains(address) || !action.effect.isSaid(by: keys) {
            address.check = Meaning(action, fields).check
        }
        return address
    }

    enum Match {
        case none
        case one(Entry)
        /// Forms that do the same, but with other values in their fields.
        case several
    }

    /// Finds the action with an address.
    func entry(at address: ActionAddress) -> Match {
        let matches = entries.filter { $0.address == address }
        guard let first = matches.first else { return .none }
        guard matches.allSatisfy({ $0.fields == first.fields }) else { return .several }
        // All of them do the same.
        return .one(matches.first { $0.action.confirmation != nil } ?? first)
    }

    private static func visit(
        _ node: ViewNode, within outer: [String], found: ([String], Action, [FieldContent]) -> Void
    ) {
        let keys = node.key.isEmpty ? outer : outer + [node.key]
        if let action = node.action { found(keys, action, node.fields) }
        for action in node.sideActions { found(keys, action, []) }
        for child in node.children { visit(child, within: keys, found: found) }
    }
}

extension ViewNode {
    /// The fields of a form; none for any other view.
    var fields: [FieldContent] {
        guard case .form = content else { return [] }
        var fields: [FieldContent] = []
        func visit(_ node: ViewNode) {
            if case .field(let field) = node.content { fields.append(field) }
            node.children.forEach(visit)
        }
        children.forEach(visit)
        return fields
    }
}
