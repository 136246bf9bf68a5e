import CHSLink
public import FoundationEssentials

extension Data: PayloadConvertible {
    /// Bytes.
    public var payload: Payload { unsafe withUnsafeBytes { unsafe Payload(copyingBytes: $0) } }

    /// Reads bytes, or a list of integers from 0 to 255.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        guard payload.kind == .bytes else {
            if payload.kind == .array {
                self.init(try [UInt8](payload: payload))
                return
            }
            throw unsafe PayloadError(expected: "bytes", found: payload.unsafeNode.kindSummary)
        }
        let node = unsafe payload.unsafeNode
        guard let bytes = unsafe node.`as`.bytes else {
            self.init()
            return
        }
        unsafe self.init(bytes: bytes, count: Int(node.length))
    }
}
