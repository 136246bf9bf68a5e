import CHSLink

/// A Swift sequence that travels as an object. The receiver pulls the elements, so an element is produced only when it
/// is requested:
///
/// * `next` answers `{"value": element}`, null at the end, or the error that the sequence threw. Only one may be
///   pending: a second `next` fails until the first is answered. After one that was cancelled, all others fail,
///   because its element may be lost.
/// * `cancel` ends the sequence, as does cancelling a `next` or releasing the object.
@safe
final class StreamSource: Sendable {
    /// Produces the next element; nil at the end. Never called concurrently.
    typealias Pull = @Sendable () async throws -> Payload?

    private enum State {
        case idle(Pull)
        case reading(Reply, Task<Void, Never>?)
        /// Cancelled while an element is being read; the sequence may take a while to react, or may never do so.
        case ending(Reply, losesElement: Bool)
        /// Ended by a `next` that was cancelled, so the receiver may miss an element.
        case incomplete
        case ended
    }

    private let state: Lock<State>
    /// The open streams of the same owner, which end when it is stopped.
    private let siblings: OpenStreams

    init(siblings: OpenStreams, _ pull: @escaping Pull) {
        state = Lock(.idle(pull))
        self.siblings = siblings
    }

    /// Answers `next`.
    ///
    /// - Parameter backend: The backend of the component that the sequence belongs to.
    func next(_ call: UnsafePointer<hslink_call>, _ backend: any LinkBackend) -> Int32 {
        let reply = unsafe Reply(call.pointee.reply)
        let (pull, refusal) = state.withLock { state -> (Pull?, String?) in
            switch state {
            case .idle(let pull):
                state = .reading(reply, nil)
                return (pull, nil)
            case .reading: return (nil, "another next is in flight; wait for its reply first")
            // Null would say that there are no more elements.
            case .ending, .incomplete:
                return (nil, "the stream was cancelled while an element was read; ask for a new one")
            case .ended: return (nil, nil)
            }
        }
        guard let pull else {
            if let refusal {
                reply.fail(LinkError(.methodFailed, message: refusal))
            } else {
                reply.succeed()
            }
            return Int32(HSLINK_REPLIED)
        }
        guard siblings.add(self) else {
            stop()
            return Int32(HSLINK_REPLIED)
        }
        // The owner must not be destroyed while its sequence produces an element.
        guard backend.beginWork() else {
            stop()
            return Int32(HSLINK_REPLIED)
        }
        let task = Task.immediate {
            await self.read(pull, reply)
            backend.endWork()
        }
        let isCancelled = state.withLock { state in
            switch state {
            case .reading(let current, _) where current === reply:
                state = .reading(reply, task)
                return false
            case .ending(let current, _): return current === reply
            // Ended, perhaps because its owner was stopped before there was a task to cancel.
            case .incomplete, .ended: return true
            case .idle, .reading: return false
            }
        }
        if isCancelled { task.cancel() }
        reply.onCancel { self.cancel(losesElement: true) }
        return Int32(HSLINK_LATER)
    }

    private func read(_ pull: @escaping Pull, _ reply: Reply) async {
        let outcome: Result<Payload?, any Error>
        do {
            outcome = .success(try await pull())
        } catch {
            outcome = .failure(error)
        }
        siblings.remove(self)
        // Update the state before answering, because the receiver may request the next element immediately.
        state.withLock { state in
            switch (state, outcome) {
            case (.reading, .success(_?)): state = .idle(pull)
            case (.ending(_, losesElement: true), _): state = .incomplete
            default: state = .ended
            }
        }
        switch outcome {
        case .success(let element?): reply.succeed(Payload(__fields: ("value", element)))
        case .success(nil): reply.succeed()
        case .failure(let error): reply.fail(error)
        }
    }

    /// Ends the sequence. A pending `next` is answered when the sequence returns or the owner is stopped.
    ///
    /// - Parameter losesElement: whether the receiver has cancelled a `next`, and not the stream.
    func cancel(losesElement: Bool = false) {
        let before = state.withLock { state in
            let before = state
            switch before {
            case .reading(let reply, _): state = .ending(reply, losesElement: losesElement)
            // The call may have been cancelled just before it was answered.
            case .idle, .ended: state = losesElement ? .incomplete : .ended
            case .ending, .incomplete: break
            }
            return before
        }
        // Released outside the lock, because this may run the author's code.
        if case .reading(_, let task) = before { task?.cancel() }
    }

    /// Ends the sequence because its owner was stopped.
    func stop() {
        let before = state.withLock { state in
            defer { state = .ended }
            return state
        }
        switch before {
        case .idle, .incomplete, .ended: break
        case .ending(let reply, _): reply.fail(LinkError(.stopped))
        case .reading(let reply, let task):
            reply.fail(LinkError(.stopped))
            task?.cancel()
        }
    }
}

extension StreamSource {
    /// Written only while it is created, read-only afterwards.
    nonisolated(unsafe) static let type = unsafe UnsafePointer(
        constant: hslink_object_type(
            struct_size: UInt32(MemoryLayout<hslink_object_type>.size), reserved: 0,
            name: hslink_string(constant: "stream"), retain: ObjectBox.retain, release: ObjectBox.release,
            invoke: { object, selector, _, call in
                let name = unsafe String(name: selector)
                guard name == "next" || name == "cancel" else {
                    return unsafe MethodReply.fail(
                        call,
                        LinkError(
                            .selectorNotFound, message: "a stream has only next and cancel", className: "stream",
                            selector: name))
                }
                return unsafe ObjectBox.run(object, call) { target in
                    let stream = unsafe unsafeDowncast(target, to: StreamSource.self)
                    if name == "next" {
                        return unsafe stream.next(
                            call, ObjectBox.of(object).takeUnretainedValue().header.backend)
                    }
                    stream.cancel()
                    return unsafe MethodReply.answer(call) { .null }
                }
            }, get_extension: ObjectBox.getExtension))
}

/// The streams of one owner that are being read. They are ended when the owner is stopped, because their next element
/// would never arrive.
final class OpenStreams: Sendable {
    /// Nil once they have been ended.
    private let streams = Lock<[ObjectIdentifier: StreamSource]?>([:])

    /// - Returns: False if the owner has been stopped, because then nothing would end the stream.
    func add(_ stream: StreamSource) -> Bool {
        streams.withLock { streams in
            streams?[ObjectIdentifier(stream)] = stream
            return streams != nil
        }
    }

    func remove(_ stream: StreamSource) { _ = streams.withLock { $0?.removeValue(forKey: ObjectIdentifier(stream)) } }

    func endAll() {
        guard let all = streams.withLock({ $0.take() }) else { return }
        for stream in all.values { stream.stop() }
    }
}
