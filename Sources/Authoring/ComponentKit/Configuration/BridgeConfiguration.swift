import CHSLink

/// The configuration of a component, which the host's extension `hslink.configuration/1` reads.
@safe
// Unchecked: the table is constant and valid as long as the host's table, which the backend retains.
struct BridgeConfiguration: ConfigurationSource, @unchecked Sendable {
    private let backend: BridgeBackend
    private let table: UnsafePointer<hslink_host_configuration>

    /// Returns nil if the host lacks the extension.
    init?(_ backend: BridgeBackend) {
        let host = unsafe backend.host
        let table = unsafe HSLINK_CONFIGURATION.withLinkString { unsafe host.pointee.get_extension(host, $0) }
        guard let table = unsafe table?.assumingMemoryBound(to: hslink_host_configuration.self),
            unsafe Int(table.pointee.struct_size) >= HSLINK_HOST_CONFIGURATION_SIZE_1_0
        else { return nil }
        self.backend = backend
        unsafe self.table = unsafe table
    }

    var environment: DeploymentEnvironment {
        unsafe DeploymentEnvironment(rawValue: String(table.pointee.environment(backend.host))) ?? .prod
    }

    func values() throws(LinkError) -> Payload {
        try unsafe receive { unsafe table.pointee.values(backend.host, $0, $1) } ?? [:]
    }

    func value(_ key: String, _ type: ConfigurationType) throws(LinkError) -> Payload? {
        try unsafe receive { sink, failure in
            unsafe key.withLinkString { unsafe table.pointee.value(backend.host, $0, type.number, sink, failure) }
        }
    }

    private func receive(
        _ body: (UnsafePointer<hslink_value_sink>, UnsafePointer<hslink_failure>) -> Int32
    ) throws(LinkError) -> Payload? {
        let report = FailureReport()
        let collector = ValueCollector()
        let status = unsafe collector.withUnsafeSink { sink in
            unsafe report.withUnsafeFailure { unsafe body(sink, $0) }
        }
        guard status == 0 else {
            throw report.error
                ?? LinkError(configuration: HSLINK_CONFIGURATION_SOURCE, "the host gave no reason (status \(status))")
        }
        switch collector.outcome {
        case nil: return nil
        case .success(let value): return .some(value)
        case .failure(let error):
            throw LinkError(configuration: HSLINK_CONFIGURATION_INVALID, "the host's value is not valid: \(error)")
        }
    }
}

/// Copies the value that a host passes.
private final class ValueCollector {
    private(set) var outcome: Result<Payload, PayloadError>?

    /// Calls `body` with this collector in its boundary form, which is valid until `body` returns.
    func withUnsafeSink<Value>(_ body: (UnsafePointer<hslink_value_sink>) -> Value) -> Value {
        let sink = unsafe hslink_value_sink(
            receive: { context, value in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<ValueCollector>.fromOpaque(context).takeUnretainedValue().outcome = Result {
                    () throws(PayloadError) in try unsafe Payload(copying: value.pointee, limits: .standard)
                }
            }, context: unsafe Unmanaged.passUnretained(self).toOpaque())
        return withExtendedLifetime(self) { unsafe withUnsafePointer(to: sink, body) }
    }
}
