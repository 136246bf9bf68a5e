import CHSLink
import Glibc

/// Finds and opens the resources of a component: in a host, or over the boundary.
package protocol ResourceSource: Sendable {
    /// The name of the component.
    var component: String { get }

    /// Returns the absolute path of the directory, without links.
    func directory() throws(ResourceError) -> String

    /// Opens a regular file.
    ///
    /// - Parameter languages: languages in order of preference; nil for those of the host.
    func open(_ name: String, languages: [String]?) throws(ResourceError) -> OpenResource

    /// Returns the names of the files in a folder.
    func names(in folder: String, languages: [String]?) throws(ResourceError) -> [String]
}

/// An open file; closed when this value is destroyed.
package struct OpenResource: ~Copyable {
    /// The descriptor, open for reading.
    package let descriptor: Int32
    /// The absolute path without links.
    package let path: String
    /// The size in bytes at the time when it was opened.
    package let size: Int

    package init(descriptor: Int32, path: String, size: Int) {
        self.descriptor = descriptor
        self.path = path
        self.size = size
    }

    deinit { close(descriptor) }

    enum Content {
        case bytes([UInt8])
        case tooLarge(size: Int)
        /// The system's error number.
        case failed(Int32)
    }

    /// Reads the file up to its ``size``.
    func read(limit: Int) -> Content {
        guard size <= limit else { return .tooLarge(size: size) }
        // An array of capacity 0 uses storage that all threads share, and the initialiser would write to it.
        guard size > 0 else { return .bytes([]) }
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let rest = unsafe buffer.baseAddress.map { unsafe $0 + count }
                let got = unsafe pread(descriptor, rest, size - count, off_t(count))
                if got < 0 && errno == EINTR { continue }
                if got < 0 { failure = errno }
                if got <= 0 { return }
                count += got
            }
        }
        return failure == 0 ? .bytes(bytes) : .failed(failure)
    }
}

/// The source for a component that has no host, or whose host has no resources for it.
struct NoResources: ResourceSource {
    let component: String
    let reason: String

    func directory() throws(ResourceError) -> String { throw error("") }

    func open(_ name: String, languages: [String]?) throws(ResourceError) -> OpenResource { throw error(name) }

    func names(in folder: String, languages: [String]?) throws(ResourceError) -> [String] {
        guard folder.isEmpty else { throw error(folder) }
        return []
    }

    private func error(_ name: String) -> ResourceError {
        ResourceError(.notFound, component: component, name: name, reason: reason)
    }
}
