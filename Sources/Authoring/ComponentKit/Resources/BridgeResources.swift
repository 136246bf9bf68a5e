import CHSLink
import Glibc
import SystemSupport

/// The resources of a component, which the host's extension `hslink.resources/1` finds and opens.
@safe
// Unchecked: the table is constant and valid as long as the host's table, which the backend retains.
struct BridgeResources: ResourceSource, @unchecked Sendable {
    let component: String
    private let backend: BridgeBackend
    private let table: UnsafePointer<hslink_host_resources>

    /// Returns nil if the host lacks the extension.
    init?(_ backend: BridgeBackend, component: String) {
        let host = unsafe backend.host
        let table = unsafe HSLINK_RESOURCES.withLinkString { unsafe host.pointee.get_extension(host, $0) }
        guard let table = unsafe table?.assumingMemoryBound(to: hslink_host_resources.self),
            unsafe Int(table.pointee.struct_size) >= HSLINK_HOST_RESOURCES_SIZE_1_0
        else { return nil }
        self.backend = backend
        self.component = component
        unsafe self.table = unsafe table
    }

    func directory() throws(ResourceError) -> String {
        let report = FailureReport()
        var path = unsafe hslink_string()
        let status = unsafe report.withUnsafeFailure { unsafe table.pointee.directory(backend.host, &path, $0) }
        guard status == 0 else { throw ResourceError(report.error, component: component, name: "") }
        return unsafe String(path)
    }

    func open(_ name: String, languages: [String]?) throws(ResourceError) -> OpenResource {
        let report = FailureReport()
        let paths = TextCollector()
        var descriptor: Int32 = -1
        let status = unsafe name.withLinkString { name in
            unsafe BridgeResources.withLanguages(languages) { languages in
                unsafe paths.withUnsafeSink { paths in
                    unsafe report.withUnsafeFailure {
                        unsafe table.pointee.open(backend.host, name, languages, &descriptor, paths, $0)
                    }
                }
            }
        }
        guard status == 0, descriptor >= 0 else { throw ResourceError(report.error, component: component, name: name) }
        var state = stat()
        guard unsafe fstat(descriptor, &state) == 0 else {
            let number = errno
            close(descriptor)
            throw ResourceError(
                .system, component: component, name: name,
                reason: "the system could not inspect it: \(systemMessage(number))")
        }
        return OpenResource(descriptor: descriptor, path: paths.texts.last ?? "", size: Int(state.st_size))
    }

    func names(in folder: String, languages: [String]?) throws(ResourceError) -> [String] {
        let report = FailureReport()
        let names = TextCollector()
        let status = unsafe folder.withLinkString { folder in
            unsafe BridgeResources.withLanguages(languages) { languages in
                unsafe names.withUnsafeSink { names in
                    unsafe report.withUnsafeFailure {
                        unsafe table.pointee.names(backend.host, folder, languages, names, $0)
                    }
                }
            }
        }
        guard status == 0 else { throw ResourceError(report.error, component: component, name: folder) }
        return names.texts
    }

    private static func withLanguages<Result>(
        _ languages: [String]?, _ body: (UnsafePointer<hslink_string>?) -> Result
    ) -> Result {
        guard let languages else { return body(nil) }
        return unsafe languages.joined(separator: ",").withLinkString { text in
            unsafe withUnsafePointer(to: text) { unsafe body($0) }
        }
    }
}

/// Collects the strings that a function passes to a sink. Serves one call on one thread.
private final class TextCollector {
    private(set) var texts: [String] = []

    /// Calls `body` with this collector in its boundary form, which is valid until `body` returns.
    func withUnsafeSink<Result>(_ body: (UnsafePointer<hslink_text_sink>) -> Result) -> Result {
        let sink = unsafe hslink_text_sink(
            receive: { context, text in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<TextCollector>.fromOpaque(context).takeUnretainedValue().texts.append(String(text))
            }, context: unsafe Unmanaged.passUnretained(self).toOpaque())
        return withExtendedLifetime(self) { unsafe withUnsafePointer(to: sink, body) }
    }
}
