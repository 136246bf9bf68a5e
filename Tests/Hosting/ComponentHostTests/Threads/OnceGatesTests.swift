import ComponentKit
import Foundation
import Synchronization
import Testing

@testable import ComponentHost

@Suite("Gates: done once, while others wait")
struct OnceGatesTests {
    @Test("many threads arrive, one runs the body")
    func once() async {
        let gates = OnceGates()
        let gate = OnceGate()
        let done = Atomic<Bool>(false)
        let runs = Atomic<Int>(0)
        let passed = Collected<Bool>()
        for _ in 0..<32 {
            Thread.detachNewThread {
                do throws(LinkError) {
                    try gates.pass(gate, unless: done.load(ordering: .acquiring)) {
                        runs.add(1, ordering: .relaxed)
                        Thread.sleep(forTimeInterval: 0.01)
                        done.store(true, ordering: .releasing)
                    }
                    passed.add(done.load(ordering: .acquiring))
                } catch {
                    passed.add(false)
                }
            }
        }
        #expect(await passed.first(32) == Array(repeating: true, count: 32))
        #expect(runs.load(ordering: .relaxed) == 1)
    }

    @Test("a body that throws leaves the gate open for the next")
    func throwing() async throws {
        let gates = OnceGates()
        let gate = OnceGate()
        try await onThread {
            do throws(LinkError) {
                try gates.pass(gate, unless: false) { () throws(LinkError) in throw LinkError(.createFailed) }
                Issue.record("nothing was thrown")
            } catch {
                #expect(error.code == .createFailed)
            }
            let runs = Atomic<Int>(0)
            try gates.pass(gate, unless: false) { runs.add(1, ordering: .relaxed) }
            #expect(runs.load(ordering: .relaxed) == 1)
        }
    }

    @Test("a thread that would wait for itself is refused, another thread is not")
    func reentered() async throws {
        let gates = OnceGates()
        let (gate, other) = (OnceGate(), OnceGate())
        try await onThread {
            try gates.pass(gate, unless: false) { () throws(LinkError) in
                try gates.pass(other, unless: false) { () throws(LinkError) in
                    do throws(LinkError) {
                        try gates.pass(gate, unless: false) {}
                        Issue.record("nothing was thrown")
                    } catch {
                        #expect(error.code == .wouldDeadlock)
                    }
                }
            }
        }
    }

    @Test("a cycle of waiting threads is broken at one point", arguments: 2...6)
    func circle(count: Int) async {
        let gates = OnceGates()
        let ring = (0..<count).map { _ in OnceGate() }
        let inside = Atomic<Int>(0)
        let refusals = Collected<LinkError.Code?>()
        for index in 0..<count {
            Thread.detachNewThread {
                do throws(LinkError) {
                    try gates.pass(ring[index], unless: false) { () throws(LinkError) in
                        inside.add(1, ordering: .sequentiallyConsistent)
                        while inside.load(ordering: .sequentiallyConsistent) < count {
                            Thread.sleep(forTimeInterval: 0.001)
                        }
                        try gates.pass(ring[(index + 1) % count], unless: false) {}
                    }
                    refusals.add(nil)
                } catch {
                    refusals.add(error.code)
                }
            }
        }
        let ended = await refusals.first(count)
        #expect(ended.count == count)
        // A refused thread leaves its gate, and the others pass one after the other.
        #expect(ended.compactMap(\.self) == [.wouldDeadlock])
    }
}
