import CHSLink
import ComponentKit
import Glibc
import SystemSupport

/// The extension `hslink.resources/1`.
extension HostTable {
    /// Shared by all hosts; written once, at initialisation, and read-only afterwards.
    nonisolated(unsafe) static let resourceExtension = unsafe UnsafePointer(
        constant: hslink_host_resources(
            struct_size: UInt32(MemoryLayout<hslink_host_resources>.size), reserved: 0,
            directory: { host, path, failure in
                unsafe HostTable.report(to: failure) { () throws(ResourceError) in
                    let table = unsafe HostTable.of(host)
                    let directory = try table.resources("").directory()
                    unsafe path.pointee = unsafe hslink_string_c(try table.keepPath(directory))
                }
            },
            open: { host, name, languages, descriptor, path, failure in
                unsafe HostTable.report(to: failure) { () throws(ResourceError) in
                    let table = unsafe HostTable.of(host)
                    let name = unsafe try table.resourceName(name)
                    let file = try table.resources(name).open(name, languages: unsafe HostTable.list(languages))
                    let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
                    guard copy >= 0 else {
                        throw ResourceError(
                            .system, component: table.unit.name, name: name,
                            reason: "the process has no descriptor left for it")
                    }
                    unsafe descriptor.pointee = copy
                    if let path = unsafe path {
                        unsafe file.path.withLinkString { unsafe path.pointee.receive(path.pointee.context, $0) }
                    }
                }
            },
            names: { host, folder, languages, names, failure in
                unsafe HostTable.report(to: failure) { () throws(ResourceError) in
                    let table = unsafe HostTable.of(host)
                    let folder = unsafe try table.resourceName(folder)
                    let found = try table.resources(folder).names(
                        in: folder, languages: unsafe HostTable.list(languages))
                    for name in found {
                        unsafe name.withLinkString { unsafe names.pointee.receive(names.pointee.context, $0) }
                    }
                }
            }))

    /// Runs `body`, and reports its error.
    private static func report(
        to failure: UnsafePointer<hslink_failure>?, _ body: () throws(ResourceError) -> Void
    ) -> Int32 {
        unsafe report(to: failure) { () throws(LinkError) in
            do throws(ResourceError) { try body() } catch { throw error.linkError }
        }
    }

    private func resources(_ name: String) throws(ResourceError) -> ComponentResources {
        guard let resources = ComponentResources(of: unit, core.feature(FileFeature.self).search) else {
            throw ResourceError(
                .notFound, component: unit.name, name: name,
                reason: "the program's own classes have no resources; call resources(of:) on the host")
        }
        return resources
    }

    /// Copies a name that a component passed, with invalid UTF-8 repaired. Its form is checked later.
    private func resourceName(_ text: hslink_string) throws(ResourceError) -> String {
        guard let name = unsafe text.text(limit: HSLINK_MESSAGE_BYTES) else {
            throw ResourceError(
                .invalidName, component: unit.name, name: unsafe text.placeholder, reason: "it is not a valid name")
        }
        return name
    }

    /// The languages in a list that a component passed; nil for those of the host.
    private static func list(_ languages: UnsafePointer<hslink_string>?) -> [String]? {
        guard let languages = unsafe languages else { return nil }
        let text = unsafe languages.pointee.text(limit: HSLINK_NAME_BYTES) ?? ""
        return text.split(separator: ",").map(String.init)
    }

    /// Returns a copy of a path that is valid for the lifetime of this table.
    private func keepPath(_ path: String) throws(ResourceError) -> UnsafePointer<CChar> {
        guard let text = unsafe keep(path) else {
            throw ResourceError(.system, component: unit.name, name: "", reason: "no memory is left for the path")
        }
        return unsafe text
    }
}
