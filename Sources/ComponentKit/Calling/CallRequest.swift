/// One call on its way to whoever carries it out. Lent, not copied: a copy would touch the reference counts
/// of payload and names. It takes the payload over: one that was made for the call is not retained again.
package struct CallRequest: ~Copyable, Sendable {
    package var className = ""
    package var selector = ""
    package var kind = SelectorKind.object
    package var payload: Payload
    package var deadline: Deadline?
    /// The method must not run on the calling thread.
    package var isDetached = false
    /// The calling thread sleeps until the reply.
    package var waits = false
    /// Not nil: the call goes to this object, class and kind do not count.
    package var object: LinkObject?

    package init(_ className: String, _ selector: String, _ kind: SelectorKind, _ payload: consuming Payload) {
        self.className = className
        self.selector = selector
        self.kind = kind
        self.payload = payload
    }

    package init(_ object: LinkObject, _ selector: String, _ payload: consuming Payload) {
        self.object = object
        self.selector = selector
        self.payload = payload
    }
}
