import ComponentHost
import ComponentKit
import NIOCore

extension ControlConnection {
    /// Begins a call; its answer is sent when it has ended.
    func begin(_ call: CallDescription, _ id: Int64, _ size: Int) throws(RequestError) {
        let limits = server.limits
        let isStopping = server.isStopping
        try calls.withLock { calls throws(RequestError) in
            guard calls.tasks[id] == nil else {
                throw RequestError(
                    id: nil, ControlError(.malformed, "a second request has the id \(id) of one that is under way"))
            }
            guard calls.tasks.count < limits.calls, calls.requestBytes + size <= limits.requestBytes else {
                throw RequestError(
                    id: id, ControlError(.tooMuch, "too many calls are under way on this connection; wait for some"))
            }
            calls.requestBytes += size
            calls.tasks[id] = Task {
                await self.carryOut(call, id, isRefused: isStopping)
                self.calls.withLock { calls in
                    calls.tasks[id] = nil
                    calls.requestBytes -= size
                }
            }
            if calls.isOver { calls.tasks[id]?.cancel() }
        }
    }

    private func carryOut(_ call: CallDescription, _ id: Int64, isRefused: Bool) async {
        let content: ControlAnswer.Content
        if isRefused {
            content = .error(
                LinkError(
                    .stopped, message: "the host is being stopped", className: call.className, selector: call.selector))
        } else {
            do throws(LinkError) {
                content = .value(
                    try await server.host.call(
                        call.className, call.selector, call.payload, kind: call.kind, timeout: call.timeout))
            } catch {
                content = .error(error)
            }
        }
        await sendOrCutOff(ControlAnswer(id: id, content))
    }

    /// Sends an answer, also from a task that has been cancelled. One who takes no answers is cut off.
    private func sendOrCutOff(_ answer: ControlAnswer) async {
        let bytes = answer.encoded(limit: server.limits.frameBytes)
        let isTooMuch = calls.withLock { calls in
            calls.unreadBytes += bytes.count
            return calls.unreadBytes > server.limits.unreadBytes
        }
        if isTooMuch {
            close()
        } else {
            // A client that is gone has no use for it.
            try? await send(bytes)
        }
        calls.withLock { $0.unreadBytes -= bytes.count }
    }

    /// Sends an answer, and waits until the other side's socket has it.
    func send(_ answer: ControlAnswer) async throws {
        try await send(answer.encoded(limit: server.limits.frameBytes))
    }

    /// Past the channel's writer, which does not wait for the socket, and does nothing for a cancelled task.
    private func send(_ content: [UInt8]) async throws {
        try await channel.channel.writeAndFlush(FrameDecoder.frame(content)).get()
    }
}
