package import CHSLink

extension LinkError {
    /// Copies an error received over the boundary.
    ///
    /// - Parameter error: borrowed. Members beyond its `struct_size` are not read. Names that are too long, and details
    ///   that are too large or invalid, are left out; a message or domain that is too long becomes a placeholder with
    ///   its size.
    package init(copying error: UnsafePointer<hslink_error>) {
        unsafe self.init(copying: error, depth: 0)
    }

    /// The offsets at which the members of an error end. A member that is only partly present is not read.
    private static let memberEnds = [8, 24, 40, 56, 72, 88, 96, 104]

    /// The limits for the details of an error, which are shown to people and written to logs.
    private static let detailLimits = PayloadLimits(depth: 32, nodes: 65536, bytes: 1 << 20)

    private init(copying error: UnsafePointer<hslink_error>, depth: Int) {
        let said = unsafe Int(error.pointee.struct_size)
        let size = LinkError.memberEnds.last { $0 <= said } ?? 0
        let known = unsafe UnsafeRawPointer(error).loadBeginning(of: hslink_error.self, size: size)
        let domain = unsafe String(name: known.domain)
        var cause: LinkError?
        // The chain of causes may contain a cycle, so its depth is limited.
        if let inner = unsafe known.cause, depth < 8 { cause = unsafe LinkError(copying: inner, depth: depth + 1) }
        unsafe self.init(
            code: domain.isEmpty ? Code(rawValue: known.code) : .methodFailed,
            className: known.class_name.name ?? "", selector: known.selector.name ?? "",
            more: More(
                component: known.component.name ?? "", message: String(known.message), domain: domain,
                number: known.code,
                details: known.details.flatMap {
                    try? unsafe Payload(copying: $0.pointee, limits: LinkError.detailLimits)
                },
                cause: cause))
    }

    /// Calls `body` with the error in its boundary form, which is valid until `body` returns.
    package func withUnsafeError<Result>(_ body: (UnsafePointer<hslink_error>) -> Result) -> Result {
        unsafe domain.withLinkString { domain in
            unsafe message.withLinkMessage { message in
                unsafe className.withLinkString { className in
                    unsafe selector.withLinkString { selector in
                        unsafe component.withLinkString { component in
                            let error = unsafe hslink_error(
                                struct_size: UInt32(MemoryLayout<hslink_error>.size), code: number, domain: domain,
                                message: message, class_name: className, selector: selector, component: component,
                                details: nil, cause: nil)
                            return unsafe withDetailsAndCause(of: error, body)
                        }
                    }
                }
            }
        }
    }

    private func withDetailsAndCause<Result>(
        of error: hslink_error, _ body: (UnsafePointer<hslink_error>) -> Result
    ) -> Result {
        var error = unsafe error
        if let details {
            return unsafe details.withUnsafeValue { value in
                unsafe error.details = unsafe value
                return unsafe withCause(of: error, body)
            }
        }
        return unsafe withCause(of: error, body)
    }

    private func withCause<Result>(
        of error: hslink_error, _ body: (UnsafePointer<hslink_error>) -> Result
    ) -> Result {
        guard let cause else { return unsafe withUnsafePointer(to: error, body) }
        return unsafe cause.withUnsafeError { inner in
            var error = unsafe error
            unsafe error.cause = unsafe inner
            return unsafe withUnsafePointer(to: error, body)
        }
    }
}

extension LinkError {
    /// Converts a thrown error, as it is done with the errors of methods for their callers.
    ///
    /// A link error stays unchanged. An error about a payload or from a decoder becomes ``Code/payloadMismatch``, a
    /// `CancellationError` becomes ``Code/cancelled``, and ``RouteDeclined`` becomes ``Code/routeDeclined``. A
    /// ``ResourceError`` keeps its code and message. A model keeps its value; any other error is reduced to its type and
    /// description.
    public init(thrown error: any Error) {
        switch error {
        case let error as LinkError: self = error
        case let error as PayloadError: self.init(.payloadMismatch, message: error.description)
        case let error as DecodingError:
            self.init(.payloadMismatch, message: PayloadError(decoding: error).description)
        case let error as ResourceError: self = error.linkError
        case let error as any ModelError: self.init(model: error)
        case is CancellationError: self.init(.cancelled)
        case let error as RouteDeclined: self.init(.routeDeclined, message: error.reason)
        default:
            self.init(domain: String(reflecting: type(of: error)), number: 1, message: "\(error)")
        }
    }
}
