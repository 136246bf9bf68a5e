package import HostContract

extension HostContents {
    /// Makes the contents of a host in this process.
    ///
    /// - Parameters:
    ///   - host: the host; nothing is loaded.
    ///   - process: the process id, if the host keeps running.
    package init(_ host: LinkHost, process: Int? = nil) {
        self = host.features.hostService.contents(of: host.core, process: process)
    }
}
