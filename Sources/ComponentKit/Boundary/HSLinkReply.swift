package import CHSLink

// A reply handle is a plain value that by contract may be kept for ever and used from any thread.
extension hslink_reply: @unchecked @retroactive Sendable {}
