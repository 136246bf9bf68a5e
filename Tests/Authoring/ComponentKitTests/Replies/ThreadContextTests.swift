import Foundation
import Synchronization
import Testing

@testable import ComponentKit

@Suite("Marks of threads that run in components", .serialized)
struct ThreadContextTests {
    @Test("are visible while they are set", arguments: [1, 2, 63, 300, 512])
    func nested(depth: Int) async {
        await onThreads(1) { _ in
            let thread = ThreadContext.current
            for level in 1...depth {
                #expect(thread.enter(component))
                #expect(thread.depth == level)
                #expect(ThreadContext.isInside(component))
            }
            #expect(!ThreadContext.isInside(stranger))
            for level in (0..<depth).reversed() {
                #expect(ThreadContext.isInside(component))
                #expect(thread.leave(component))
                #expect(thread.depth == level)
            }
            #expect(!ThreadContext.isInside(component))
        }
    }

    @Test("of the host and of the lender of a thread are not removed by others")
    func foreign() async {
        await onThreads(1) { _ in
            let thread = ThreadContext.current
            #expect(thread.enter(component, method: ThreadContext.objectMark))
            #expect(!thread.leave(component))
            #expect(thread.enter(component))
            unsafe thread.state.pointee.running.base = 2
            #expect(!thread.leave(component))
            unsafe thread.state.pointee.running.base = 0
            #expect(thread.leave(component))
            #expect(!thread.leave(to: 0, expecting: 0))
        }
    }

    @Test("that a callback leaves on a thread are removed")
    func surplus() async {
        await onThreads(1) { _ in
            let thread = ThreadContext.current
            #expect(thread.enter(component))
            CallerContext.current.run { #expect(ThreadContext.current.enter(stranger)) }
            #expect(thread.depth == 1)
            #expect(!ThreadContext.isInside(stranger))
            thread.leave(to: 0)
        }
    }

    @Test("are limited to the room of a thread")
    func limit() async {
        await onThreads(1) { _ in
            let thread = ThreadContext.current
            for _ in 0..<ThreadContext.frameCount { #expect(thread.enter(component)) }
            #expect(!thread.enter(stranger))
            #expect(!ThreadContext.isInside(stranger))
            thread.leave(to: 0)
            #expect(thread.enter(stranger))
            #expect(ThreadContext.isInside(stranger))
            thread.leave(to: 0)
        }
    }

    @Test("of different components are distinguished")
    func different() async {
        await onThreads(1) { _ in
            let thread = ThreadContext.current
            for _ in 0..<20 {
                #expect(thread.enter(component))
                #expect(thread.enter(stranger))
            }
            #expect(ThreadContext.isInside(component))
            #expect(ThreadContext.isInside(stranger))
            thread.leave(to: 1)
            #expect(!ThreadContext.isInside(stranger))
            #expect(ThreadContext.isInside(component))
            thread.leave(to: 0)
        }
        #expect(!ThreadContext.isInside(component))
        #expect(!ThreadContext.isInside(stranger))
    }

    @Test("leaving without entering, or within a call, removes nothing")
    func unbalanced() async {
        await onThreads(1) { _ in
            let thread = ThreadContext.current
            #expect(!thread.leave(component))
            #expect(thread.enter(component, method: 0x10))
            #expect(!thread.leave(component))
            #expect(thread.enter(component))
            #expect(!thread.leave(stranger))
            #expect(thread.leave(component))
            #expect(!thread.leave(component))
            #expect(ThreadContext.isInside(component))
            #expect(thread.methods == [0x10])
            #expect(thread.leave(to: 0))
            #expect(thread.enter(component, method: 0x10))
            #expect(thread.enter(component))
            #expect(!thread.leave(to: 0))
            #expect(thread.depth == 0)
            #expect(!ThreadContext.isInside(component))
        }
    }

    @Test("calls are distinguished from a component's own threads")
    func ownThreads() async {
        await onThreads(1) { _ in
            let thread = ThreadContext.current
            #expect(thread.enter(component))
            #expect(thread.enter(stranger, method: 0x10))
            #expect(!ThreadContext.carriesOutCalls(of: [component, stranger]))
            thread.leave(to: 0)
            #expect(thread.enter(component, method: 0x20))
            #expect(thread.enter(stranger, method: 0x10))
            #expect(ThreadContext.carriesOutCalls(of: [component]))
            #expect(ThreadContext.carriesOutCalls(of: [stranger]))
            #expect(!ThreadContext.carriesOutCalls(of: []))
            thread.leave(to: 0)
        }
    }

    @Test("of many threads are visible to one, and disappear with the threads")
    func manyThreads() async {
        let inside = Atomic<Int>(0)
        let mayLeave = Atomic<Bool>(false)
        await onThreads(9) { number in
            if number < 8 {
                for _ in 0..<number + 60 { #expect(ThreadContext.current.enter(component)) }
                inside.add(1, ordering: .sequentiallyConsistent)
                while !mayLeave.load(ordering: .sequentiallyConsistent) { Thread.sleep(forTimeInterval: 0.001) }
                // The last thread ends without leaving.
                if number < 7 { ThreadContext.current.leave(to: 0) }
            } else {
                while inside.load(ordering: .sequentiallyConsistent) < 8 { Thread.sleep(forTimeInterval: 0.001) }
                #expect(ThreadContext.isInside(component))
                mayLeave.store(true, ordering: .sequentiallyConsistent)
            }
        }
        while ThreadContext.isInside(component) { try? await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("states are passed from thread to thread")
    func reused() async {
        let states = Lock<Set<UInt>>([])
        for _ in 0..<50 {
            await onThreads(2) { _ in
                let state = unsafe UInt(bitPattern: ThreadContext.current.state)
                #expect(unsafe UInt(bitPattern: ThreadContext.current.state) == state)
                states.withLock { _ = $0.insert(state) }
            }
        }
        #expect(states.withLock { $0.count } < 100)
    }

    @Test("a snapshot that is being read is known to be in use")
    func snapshots() async {
        let source = Atomic<UInt>(0x1000)
        #expect(ThreadContext.read([0x1000]).isEmpty)
        let thread = ThreadContext.current
        #expect(thread.beginSnapshot(source) == 0x1000)
        #expect(ThreadContext.read([0x1000, 0x2000]) == [0x1000])
        source.store(0x2000, ordering: .sequentiallyConsistent)
        #expect(ThreadContext.read([0x1000, 0x2000]) == [0x1000])
        thread.endSnapshot()
        #expect(ThreadContext.read([0x1000]).isEmpty)
        #expect(thread.beginSnapshot(source) == 0x2000)
        thread.endSnapshot()
    }

    @Test("no thread reads a snapshot after it was freed")
    func freedSnapshots() async {
        // Each snapshot is an object with a word that shows whether it is alive.
        let source = Atomic<UInt>(SnapshotWord.make())
        let isOver = Atomic<Bool>(false)
        let dead = Atomic<Int>(0)
        await onThreads(4) { number in
            if number > 0 {
                while !isOver.load(ordering: .relaxed) {
                    let snapshot = ThreadContext.current.beginSnapshot(source)
                    if !SnapshotWord.isAlive(snapshot) { dead.add(1, ordering: .relaxed) }
                    ThreadContext.current.endSnapshot()
                }
                return
            }
            var retired: [UInt] = []
            for _ in 0..<500 {
                retired.append(source.exchange(SnapshotWord.make(), ordering: .sequentiallyConsistent))
                let read = ThreadContext.read(retired)
                let free = retired.filter { !read.contains($0) }
                retired.removeAll { free.contains($0) }
                for snapshot in free { SnapshotWord.kill(snapshot) }
            }
            isOver.store(true, ordering: .relaxed)
        }
        #expect(dead.load(ordering: .relaxed) == 0)
    }
}

private let component: UInt = 0xC0FFEE
private let stranger: UInt = 0xBEEF

/// Words that are never freed, so that a late reader sees that they are dead.
private enum SnapshotWord {
    static func make() -> UInt {
        let word = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
        unsafe word.initialize(to: Atomic(true))
        return UInt(bitPattern: word)
    }

    static func kill(_ address: UInt) {
        unsafe UnsafeMutablePointer<Atomic<Bool>>(bitPattern: address)?.pointee.store(
            false, ordering: .sequentiallyConsistent)
    }

    static func isAlive(_ address: UInt) -> Bool {
        unsafe UnsafeMutablePointer<Atomic<Bool>>(bitPattern: address)?.pointee.load(ordering: .sequentiallyConsistent)
            ?? false
    }
}
