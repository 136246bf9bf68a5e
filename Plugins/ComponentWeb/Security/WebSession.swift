import ComponentKit
import Crypto
import Foundation

/// The session of a browser: what its cookie says.
///
/// Nothing is kept for it here. The cookie is signed, so that it cannot be forged, and the token for actions follows
/// from it. Components receive the id in what a call carries, and keep what belongs to it.
struct WebSession: Hashable, Sendable {
    /// Random, 22 characters.
    let id: String
    /// Whether the person has given the password of the host.
    let isTrusted: Bool
    /// When the cookie was made, in seconds since 1970.
    let issuedAt: Int
}

/// Makes and reads the cookies of sessions.
struct SessionKeys: Sendable {
    private let key: SymmetricKey
    /// What the password is, so that cookies from before a change of it count no more.
    private let passwordMark: String

    /// How long a cookie lasts, in seconds: 30 days.
    static let lifetime = 30 * 24 * 3600
    /// After how many seconds a cookie is replaced by a new one.
    private static let renewal = 24 * 3600

    /// - Parameters:
    ///   - secret: 32 random bytes.
    ///   - password: the hash of the password; nil for none.
    init(secret: [UInt8], password: String?) {
        key = SymmetricKey(data: secret)
        passwordMark = password ?? ""
    }

    /// Returns a new session.
    func new(isTrusted: Bool, now: Int) -> WebSession {
        let random = SymmetricKey(size: .bits128)
        let id = unsafe random.withUnsafeBytes { unsafe Data($0) }.base64URL
        return WebSession(id: id, isTrusted: isTrusted, issuedAt: now)
    }

    /// Returns the value of the cookie: kind, id, time and signature.
    func cookie(of session: WebSession) -> String {
        let text = "\(session.isTrusted ? "t" : "g").\(session.id).\(session.issuedAt)"
        return "\(text).\(signature(of: text, session.isTrusted))"
    }

    /// Reads the value of a cookie; nil if it is not one of ours, or too old.
    func session(of cookie: String, now: Int) -> WebSession? {
        guard cookie.utf8.count < 200 else { return nil }
        let parts = cookie.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "t" || parts[0] == "g", let time = Int(parts[2]) else { return nil }
        let session = WebSession(id: String(parts[1]), isTrusted: parts[0] == "t", issuedAt: time)
        // The whole text is compared, in a time that says nothing about the signature.
        guard SessionKeys.isEqual(cookie, self.cookie(of: session)) else { return nil }
        guard time <= now + 60, now - time < SessionKeys.lifetime else { return nil }
        return session
    }

    /// Whether the browser needs a new cookie for the session.
    func isOld(_ session: WebSession, now: Int) -> Bool { now - session.issuedAt > SessionKeys.renewal }

    /// The token that every action of the session must bring along.
    func token(of session: WebSession) -> String { signature(of: "token.\(session.id)", session.isTrusted) }

    /// Whether a form has the token of the session, so that one of our pages in that session has sent it.
    func accept(_ form: FormBody, in session: WebSession) -> Bool {
        form[FormNames.token].map { SessionKeys.isEqual($0, token(of: session)) } ?? false
    }

    /// Returns the signature of the URL of a file, which says that a page has shown it in the session. It is good for as
    /// long as the session is, so that a long film goes on, and for no one else.
    func signature(ofFile path: String, of component: String, in session: Session) -> String {
        signature(of: "file.\(session.id)\u{0}\(component)\u{0}\(path)", true)
    }

    /// Returns the signature of the cookie of a browser in which the password has been given.
    func signature(ofBrowser text: String) -> String { signature(of: "browser.\(text)", true) }

    private func signature(of text: String, _ isTrusted: Bool) -> String {
        let message = isTrusted ? "\(text)\u{0}\(passwordMark)" : text
        return Data(HMAC<SHA256>.authenticationCode(for: Data(message.utf8), using: key)).base64URL
    }

    /// Compares texts in a time that depends on their lengths only.
    static func isEqual(_ first: String, _ second: String) -> Bool {
        SymmetricKey(data: Data(first.utf8)) == SymmetricKey(data: Data(second.utf8))
    }
}

extension Data {
    /// The bytes in the alphabet of base64 for URLs, without padding (RFC 4648, section 5).
    var base64URL: String {
        let bytes = base64EncodedData().compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
