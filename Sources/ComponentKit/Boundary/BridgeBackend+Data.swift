import CHSLink

extension BridgeBackend {
    /// The component's own directory, as the host's extension `hslink.data/1` answers it.
    func dataDirectory() throws(LinkError) -> String {
        let table = unsafe HSLINK_DATA.withLinkString { unsafe host.pointee.get_extension(host, $0) }
        guard let table = unsafe table?.assumingMemoryBound(to: hslink_host_data.self),
            unsafe Int(table.pointee.struct_size) >= HSLINK_HOST_DATA_SIZE_1_0
        else {
            throw LinkError(
                domain: HSLINK_DATA_DOMAIN, number: Int32(HSLINK_DATA_NONE),
                message: "the host does not know \(HSLINK_DATA): it keeps no data for components; take a newer host")
        }
        let report = FailureReport()
        var path = unsafe hslink_string()
        let status = unsafe report.withUnsafeFailure { unsafe table.pointee.directory(host, &path, $0) }
        guard status == 0 else {
            throw report.error
                ?? LinkError(
                    domain: HSLINK_DATA_DOMAIN, number: Int32(HSLINK_DATA_SYSTEM), message: "the host gave no reason")
        }
        guard let text = unsafe path.text(limit: HSLINK_MESSAGE_BYTES) else {
            throw LinkError(
                domain: HSLINK_DATA_DOMAIN, number: Int32(HSLINK_DATA_SYSTEM),
                message: "the host's answer is no path: \(unsafe path.placeholder)")
        }
        return text
    }
}
