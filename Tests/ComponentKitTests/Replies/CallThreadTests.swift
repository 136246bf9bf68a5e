import Foundation
import Synchronization
import Testing

@testable import ComponentKit

@Suite("Marks of threads inside components", .serialized)
struct CallThreadTests {
    @Test("are counted while they stand", arguments: [1, 2, 63, 64, 65, 100, 300])
    func nested(depth: Int) async {
        await onThreads(1) { _ in
            let thread = CallThread.current
            let deep = max(0, depth - CallThread.frameCount)
            for level in 1...depth {
                thread.enter(component)
                #expect(CallThread.countInside(component) == level)
            }
            // Marks beyond the frames count for every component.
            #expect(CallThread.countInside(stranger) == deep)
            for level in (0..<depth).reversed() {
                thread.leave()
                #expect(CallThread.countInside(component) == level)
            }
            #expect(CallThread.countInside(stranger) == 0)
        }
    }

    @Test("of different components are told apart")
    func different() async {
        await onThreads(1) { _ in
            let thread = CallThread.current
            for _ in 0..<20 {
                thread.enter(component)
                thread.enter(stranger)
            }
            #expect(CallThread.countInside(component) == 20)
            #expect(CallThread.countInside(stranger) == 20)
            thread.leave()
            #expect(CallThread.countInside(stranger) == 19)
            #expect(CallThread.countInside(component) == 20)
            for _ in 0..<39 { thread.leave() }
        }
        #expect(CallThread.countInside(component) == 0)
        #expect(CallThread.countInside(stranger) == 0)
    }

    @Test("of many threads are seen by one, and are gone with the threads")
    func manyThreads() async {
        let inside = Atomic<Int>(0)
        let mayLeave = Atomic<Bool>(false)
        await onThreads(9) { number in
            if number < 8 {
                for _ in 0..<number + 60 { CallThread.current.enter(component) }
                inside.add(1, ordering: .sequentiallyConsistent)
                while !mayLeave.load(ordering: .sequentiallyConsistent) { Thread.sleep(forTimeInterval: 0.001) }
                for _ in 0..<number + 60 { CallThread.current.leave() }
            } else {
                while inside.load(ordering: .sequentiallyConsistent) < 8 { Thread.sleep(forTimeInterval: 0.001) }
                #expect(CallThread.countInside(component) == (0..<8).reduce(0) { $0 + $1 + 60 })
                mayLeave.store(true, ordering: .sequentiallyConsistent)
            }
        }
        #expect(CallThread.countInside(component) == 0)
    }

    @Test("states are handed from thread to thread")
    func reused() async {
        let states = Lock<Set<UInt>>([])
        for _ in 0..<50 {
            await onThreads(2) { _ in
                let state = unsafe UInt(bitPattern: CallThread.current.state)
                #expect(unsafe UInt(bitPattern: CallThread.current.state) == state)
                states.withLock { _ = $0.insert(state) }
            }
        }
        #expect(states.withLock { $0.count } < 100)
    }

    @Test("a snapshot that is read is seen to be read")
    func snapshots() async {
        let source = Atomic<UInt>(0x1000)
        #expect(!CallThread.isRead(0x1000))
        CallThread.current.withSnapshot(source) { snapshot in
            #expect(snapshot == 0x1000)
            #expect(CallThread.isRead(0x1000))
            source.store(0x2000, ordering: .sequentiallyConsistent)
            #expect(CallThread.isRead(0x1000))
            #expect(!CallThread.isRead(0x2000))
        }
        #expect(!CallThread.isRead(0x1000))
        #expect(CallThread.current.withSnapshot(source) { $0 } == 0x2000)
    }

    @Test("nobody reads a snapshot after it was freed")
    func freedSnapshots() async {
        // Each snapshot is an object that says in its word whether it is alive.
        let source = Atomic<UInt>(SnapshotWord.make())
        let isOver = Atomic<Bool>(false)
        let dead = Atomic<Int>(0)
        await onThreads(4) { number in
            if number > 0 {
                while !isOver.load(ordering: .relaxed) {
                    CallThread.current.withSnapshot(source) { snapshot in
                        if !SnapshotWord.isAlive(snapshot) { dead.add(1, ordering: .relaxed) }
                    }
                }
                return
            }
            var retired: [UInt] = []
            for _ in 0..<500 {
                retired.append(source.exchange(SnapshotWord.make(), ordering: .sequentiallyConsistent))
                let free = retired.filter { !CallThread.isRead($0) }
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

/// Words that are never given back, so that a reader too late sees that they are dead.
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
