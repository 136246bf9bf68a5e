import CHSLink
import ComponentKit
import Glibc

/// The extension `hslink.configuration/1`.
extension HostTable {
    /// Shared by all hosts; written once, at initialisation, and read-only afterwards.
    nonisolated(unsafe) static let configurationExtension = unsafe UnsafePointer(
        constant: hslink_host_configuration(
            struct_size: UInt32(MemoryLayout<hslink_host_configuration>.size), reserved: 0,
            environment: { host in
                let environment = unsafe HostTable.of(host).configuration.environment
                return unsafe HostTable.environmentNames[environment] ?? hslink_string()
            },
            values: { host, sink, failure in
                unsafe HostTable.pass(to: sink, failure) { () throws(LinkError) in
                    let table = unsafe HostTable.of(host)
                    let section = try table.configuration.store.section(of: table.unit)
                    guard section.isDeclared else {
                        throw LinkError(
                            configuration: HSLINK_CONFIGURATION_UNDECLARED,
                            "the component \(table.unit.name) does not declare what it reads: write "
                                + "@Component(configuration: Options.self)")
                    }
                    if let error = section.error { throw error }
                    return section.values
                }
            },
            value: { host, key, type, sink, failure in
                unsafe HostTable.pass(to: sink, failure) { () throws(LinkError) in
                    let table = unsafe HostTable.of(host)
                    guard let key = unsafe key.text(limit: HSLINK_NAME_BYTES) else {
                        throw LinkError(
                            configuration: HSLINK_CONFIGURATION_KEY,
                            "the key is not valid: \(unsafe key.placeholder)")
                    }
                    guard let type = ConfigurationType(boundary: type) else {
                        throw LinkError(
                            configuration: HSLINK_CONFIGURATION_INVALID, "\(type) is not a type of values")
                    }
                    return try table.configuration.store.value(key, type, of: table.unit)
                }
            }))

    private var configuration: ConfigurationFeature { core.feature(ConfigurationFeature.self) }

    /// The names of the environments, which are never freed.
    private nonisolated(unsafe) static let environmentNames: [DeploymentEnvironment: hslink_string] =
        unsafe Dictionary(
            uniqueKeysWithValues: DeploymentEnvironment.allCases.map { environment in
                unsafe (environment, hslink_string_c(strdup(environment.rawValue)))
            })

    /// Passes what `body` returns to a sink, or reports its error.
    private static func pass(
        to sink: UnsafePointer<hslink_value_sink>, _ failure: UnsafePointer<hslink_failure>?,
        _ body: () throws(LinkError) -> Payload?
    ) -> Int32 {
        unsafe report(to: failure) { () throws(LinkError) in
            if let value = try body() {
                unsafe value.withUnsafeValue { unsafe sink.pointee.receive(sink.pointee.context, $0) }
            }
        }
    }
}
