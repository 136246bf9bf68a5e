package import CHSLink

/// Receives what `create`, `make` or `bind` report when they fail. For one call on one thread.
package final class FailureReport {
    /// The last report; nil when there was none.
    package private(set) var error: LinkError?

    package init() {}

    /// Lends the receiver in the form of the boundary for the length of `body`.
    package func withUnsafeFailure<Result>(_ body: (UnsafePointer<hslink_failure>) -> Result) -> Result {
        let failure = unsafe hslink_failure(
            report: { context, error in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<FailureReport>.fromOpaque(context).takeUnretainedValue().error = unsafe LinkError(
                    copying: error)
            }, context: unsafe Unmanaged.passUnretained(self).toOpaque())
        return withExtendedLifetime(self) { unsafe withUnsafePointer(to: failure, body) }
    }
}
