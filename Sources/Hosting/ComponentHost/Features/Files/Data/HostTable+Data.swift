import CHSLink
import ComponentKit

/// The extension `hslink.data/1`.
extension HostTable {
    /// Shared by all hosts; written once, at initialisation, and read-only afterwards.
    nonisolated(unsafe) static let dataExtension = unsafe UnsafePointer(
        constant: hslink_host_data(
            struct_size: UInt32(MemoryLayout<hslink_host_data>.size), reserved: 0,
            directory: { host, path, failure in
                unsafe HostTable.pass(.data, of: host, to: path, failure)
            },
            cache_directory: { host, path, failure in
                unsafe HostTable.pass(.cache, of: host, to: path, failure)
            }))

    private static func pass(
        _ kind: DataKind, of host: UnsafePointer<hslink_host>, to path: UnsafeMutablePointer<hslink_string>,
        _ failure: UnsafePointer<hslink_failure>?
    ) -> Int32 {
        unsafe report(to: failure) { () throws(LinkError) in
            unsafe path.pointee = unsafe hslink_string_c(try HostTable.of(host).directory(kind))
        }
    }

    /// Returns the path of the component's directory, which is valid for the lifetime of this table.
    private func directory(_ kind: DataKind) throws(LinkError) -> UnsafePointer<CChar> {
        guard !isClosed else { throw LinkError(.stopped, component: unit.name) }
        guard !unit.isHost else {
            throw LinkError(
                data: HSLINK_DATA_NONE,
                "the program's own classes have no \(kind) directory of their own; "
                    + "use the directories in the host's options")
        }
        let files = core.feature(FileFeature.self)
        let path = try (kind == .data ? files.data : files.cache).directory(of: unit.name)
        guard let text = unsafe keep(path) else {
            throw LinkError(data: HSLINK_DATA_SYSTEM, "no memory is left for the path of the \(kind) directory")
        }
        return unsafe text
    }
}
