import CHSLink
import ComponentKit

/// What a component answers from its descriptor's `get_extension`, read without trusting it.
enum DescriptorExtensions {
    /// Tells the component of this descriptor and value that its host begins to end it.
    typealias Stopping = @convention(c) (UnsafePointer<hslink_descriptor>, UnsafeMutableRawPointer?) -> Void

    /// The function of the extension `hslink.stopping/1`.
    ///
    /// - Parameter descriptor: one that ``DescriptorReader`` has accepted.
    /// - Returns: nil when the component does not have the extension, or a broken one.
    static func stoppingExtension(of descriptor: UnsafePointer<hslink_descriptor>) -> Stopping? {
        guard let getExtension = unsafe descriptor.pointee.get_extension,
            let table = unsafe HSLINK_STOPPING.withLinkString({ unsafe getExtension(descriptor, $0) }),
            unsafe table.load(as: UInt32.self) >= HSLINK_STOPPING_SIZE_1_0,
            // Declared nonnull, which a broken component does not know.
            unsafe table.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) != nil
        else { return nil }
        return unsafe table.assumingMemoryBound(to: hslink_stopping.self).pointee.stopping
    }
}
