import CHSLink
import ComponentKit
import Glibc

/// The extension `hslink.data/1`.
extension HostTable {
    /// Shared by all hosts; written once, at initialisation, and read-only afterwards.
    nonisolated(unsafe) static let dataExtension: UnsafePointer<hslink_host_data> = {
        let table = UnsafeMutablePointer<hslink_host_data>.allocate(capacity: 1)
        unsafe table.initialize(
            to: hslink_host_data(
                struct_size: UInt32(MemoryLayout<hslink_host_data>.size), reserved: 0,
                directory: { host, path, failure in
                    do throws(LinkError) {
                        unsafe path.pointee = unsafe hslink_string_c(try HostTable.of(host).dataDirectory())
                        return 0
                    } catch {
                        guard let failure = unsafe failure else { return 1 }
                        unsafe error.withUnsafeError { unsafe failure.pointee.report(failure.pointee.context, $0) }
                        return 1
                    }
                }))
        return unsafe UnsafePointer(table)
    }()

    /// Returns the path of the component's data directory, which is valid for the lifetime of this table.
    private func dataDirectory() throws(LinkError) -> UnsafePointer<CChar> {
        guard !isClosed else { throw LinkError(.stopped, component: unit.name) }
        guard !unit.isHost else {
            throw LinkError(
                data: HSLINK_DATA_NONE,
                "the program's own classes have no data directory of their own; call claimDataDirectory() on the host")
        }
        let path = try core.data.directory(of: unit.name)
        let address = dataPath.withLock { address in
            if address == 0 { address = unsafe UInt(bitPattern: strdup(path)) }
            return address
        }
        guard let text = unsafe UnsafePointer<CChar>(bitPattern: address) else {
            throw LinkError(data: HSLINK_DATA_SYSTEM, "no memory is left for the path of the data directory")
        }
        return unsafe text
    }
}
