package import CHSLink

// A reply handle is a plain value that by contract may be kept for ever and used from any thread.
// The type belongs to this package's own header.
// swift-format-ignore: AvoidRetroactiveConformances
extension hslink_reply: @unchecked @retroactive Sendable {}
