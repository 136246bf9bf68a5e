import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ForeignFunctions

/// Trees whose nodes belong to their parents, and values that count references, against a library that counts what is not
/// freed, and each use of what is.
@Suite("Trees of handles")
struct TreeTests {
    /// The functions of the library, as a host has loaded it.
    private struct Tree: Sendable {
        let link: Link

        func callAsFunction(_ name: String, _ arguments: Payload = .null) throws(LinkError) -> Payload {
            try link.callAndWait("Tree", "tree_\(name)", arguments)
        }

        func node(_ number: Int) throws(LinkError) -> Payload { try self("node_new", ["number": Payload(number)]) }

        /// Returns the message of the error of a call; nil if it was performed.
        func refusal(_ name: String, _ arguments: Payload) -> String? {
            do throws(LinkError) {
                _ = try self(name, arguments)
                return nil
            } catch {
                return error.message
            }
        }

        /// The uses of what had been freed, and what has not been freed.
        var counts: [Payload] {
            get throws(LinkError) { [try self("faults"), try self("live")] }
        }
    }

    private func withTree(_ body: @Sendable (Tree) throws -> Void) async throws {
        try await withLibraries("tree") { host async throws in try body(Tree(link: host.link)) }
    }

    @Test("a child belongs to its parent, and ends with it")
    func child() async throws {
        try await withTree { tree in
            var root: Payload? = try tree.node(1)
            var part: Payload = .null
            do {
                let child = try tree.node(2)
                let arguments: Payload = ["parent": try #require(root), "child": child]
                #expect(try tree("node_append_child", arguments) == 1)
                #expect(tree.refusal("node_append_child", arguments) == "the handle Node has been released")
                #expect(tree.refusal("node_free", ["node": child]) == "the handle Node has been released")
                part = try tree("node_first_child", ["node": try #require(root)])
                #expect(try tree("node_number", ["node": part]) == 2)
                #expect(
                    tree.refusal("node_free", ["node": part])
                        == "the handle Node belongs to another owner and cannot be released here")
                let cycle: Payload = ["parent": part, "child": try #require(root)]
                #expect(
                    tree.refusal("node_append_child", cycle)
                        == "child: the handle Node cannot be taken over by a part of itself, or by a handle that keeps it"
                )
            }
            _ = try tree("node_free", ["node": try #require(root)])
            root = nil
            #expect(tree.refusal("node_number", ["node": part]) == "the handle Node has been released")
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("what uses a part of a tree keeps the tree", arguments: ["root", "part"])
    func iterator(over place: String) async throws {
        try await withTree { tree in
            let root = try tree.node(1)
            _ = try tree("node_append_child", ["parent": root, "child": try tree.node(2)])
            let start = place == "root" ? root : try tree("node_first_child", ["node": root])
            var iterator: Payload? = try tree("iterator_new", ["root": start])
            #expect(try tree("iterator_step", ["iterator": try #require(iterator)]) == (place == "root" ? 1 : 2))
            #expect(
                tree.refusal("node_free", ["node": root])
                    == "the handle Node cannot be released while others need it (1); release those first")
            #expect(
                tree.refusal("node_clear", ["node": root])
                    == "parts of the handle Node cannot end while other handles need it (1); release those first")
            let other = try tree.node(3)
            #expect(tree.refusal("node_append_child", ["parent": other, "child": root]) != nil)
            iterator = nil
            _ = try tree("node_clear", ["node": root])
            _ = try tree("node_free", ["node": root])
            _ = try tree("node_free", ["node": other])
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("parts end with the call that may free them, and can be found anew")
    func parts() async throws {
        try await withTree { tree in
            let root = try tree.node(1)
            for number in 2...4 { _ = try tree("node_append_child", ["parent": root, "child": try tree.node(number)]) }
            let first = try tree("node_first_child", ["node": root])
            let second = try tree("node_next", ["node": first])
            var taken: Payload? = try tree("node_take_first", ["parent": root])
            for part in [first, second] {
                #expect(tree.refusal("node_number", ["node": part]) == "the handle Node has been released")
            }
            #expect(try tree("node_number", ["node": try #require(taken)]) == 2)
            let again = try tree("node_first_child", ["node": root])
            #expect(try tree("node_number", ["node": again]) == 3)
            _ = try tree("node_free", ["node": root])
            #expect(try tree.counts == [0, 1])
            taken = nil
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("a handle that another one refers to is released after it")
    func cursor() async throws {
        try await withTree { tree in
            var cursor: Payload? = try tree("cursor_new")
            let root = try tree.node(1)
            _ = try tree("node_append_child", ["parent": root, "child": try tree.node(2)])
            let part = try tree("node_first_child", ["node": root])
            _ = try tree("cursor_point", ["cursor": try #require(cursor), "node": part])
            #expect(tree.refusal("node_free", ["node": root])?.contains("while others need it (1)") == true)
            #expect(try tree("cursor_number", ["cursor": try #require(cursor)]) == 2)
            cursor = nil
            _ = try withExtendedLifetime(part) { try tree("node_free", ["node": root]) }
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("the handles of an array are kept by the handle that refers to them")
    func group() async throws {
        try await withTree { tree in
            var nodes = try (1...3).map { try tree.node($0) }
            var group: Payload? = try tree("group_new", ["nodes": .array(nodes)])
            #expect(tree.refusal("node_free", ["node": nodes[1]])?.contains("while others need it (1)") == true)
            nodes = []
            #expect(try tree("group_sum", ["group": try #require(group)]) == 6)
            #expect(try tree.counts == [0, 3])
            group = nil
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("a value that replaces another one ends the parts of its object")
    func values() async throws {
        try await withTree { tree in
            let object = try tree("value_new", ["number": 1])
            _ = try tree("value_set", ["object": object, "key": 0, "item": try tree("value_new", ["number": 2])])
            let old = try tree("value_item", ["object": object, "key": 0])
            do {
                let counted = try tree("value_get", ["value": old])
                #expect(tree.refusal("value_del", ["object": object, "key": 0])?.contains("cannot end") == true)
                #expect(tree.refusal("value_put", ["value": object])?.contains("need it (1)") == true)
                #expect(try tree("value_number", ["value": counted]) == 2)
            }
            _ = try tree("value_set", ["object": object, "key": 0, "item": try tree("value_new", ["number": 3])])
            #expect(tree.refusal("value_number", ["value": old]) == "the handle Value has been released")
            _ = try tree("value_put", ["value": object])
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("a part of two wholes ends with a call for either")
    func shared() async throws {
        try await withTree { tree in
            let inner = try tree("value_new", ["number": 1])
            let (one, two) = (try tree("value_new", ["number": 2]), try tree("value_new", ["number": 3]))
            _ = try tree("value_set", ["object": inner, "key": 5, "item": try tree("value_new", ["number": 4])])
            _ = try tree("value_set", ["object": one, "key": 0, "item": inner])
            let counted = try tree("value_get", ["value": try tree("value_item", ["object": one, "key": 0])])
            _ = try tree("value_set", ["object": two, "key": 0, "item": counted])
            let part = try tree("value_item", ["object": try tree("value_item", ["object": one, "key": 0]), "key": 5])
            #expect(try tree("value_number", ["value": part]) == 4)
            _ = try tree("value_del", ["object": try tree("value_item", ["object": two, "key": 0]), "key": 5])
            #expect(tree.refusal("value_number", ["value": part]) == "the handle Value has been released")
            // What was taken over keeps what it had kept.
            #expect(tree.refusal("value_put", ["value": one])?.contains("while others need it (1)") == true)
            _ = try tree("value_put", ["value": two])
            _ = try tree("value_put", ["value": one])
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("a part that another reference to its whole leads to does not end while something uses it")
    func references() async throws {
        try await withTree { tree in
            let root = try tree("value_new", ["number": 1])
            let inner = try tree("value_new", ["number": 2])
            _ = try tree("value_set", ["object": inner, "key": 5, "item": try tree("value_new", ["number": 3])])
            _ = try tree("value_set", ["object": root, "key": 0, "item": inner])
            let one = try tree("value_get", ["value": try tree("value_item", ["object": root, "key": 0])])
            do {
                let two = try tree("value_get", ["value": try tree("value_item", ["object": root, "key": 0])])
                let watch = try tree("watch_new", ["value": try tree("value_item", ["object": two, "key": 5])])
                for call in ["value_del", "value_take"] {
                    let reason = tree.refusal(call, ["object": one, "key": 5])
                    #expect(reason?.contains("cannot end while other handles need it (1)") == true, "\(call)")
                }
                #expect(try tree("watch_number", ["watch": watch]) == 3)
            }
            _ = try tree("value_del", ["object": one, "key": 5])
            #expect(try tree("faults") == 0)
        }
    }

    @Test("what is taken out of a whole keeps what that has kept")
    func takenOut() async throws {
        try await withTree { tree in
            let (one, two) = (try tree("value_new", ["number": 1]), try tree("value_new", ["number": 2]))
            _ = try tree("value_set", ["object": one, "key": 0, "item": try tree("value_new", ["number": 3])])
            let counted = try tree("value_get", ["value": try tree("value_item", ["object": one, "key": 0])])
            _ = try tree("value_set", ["object": two, "key": 0, "item": counted])
            do {
                let taken = try tree("value_take", ["object": two, "key": 0])
                _ = try tree("value_put", ["value": two])
                // It may be a part of the other value.
                #expect(tree.refusal("value_put", ["value": one])?.contains("while others need it (1)") == true)
                #expect(try tree("value_number", ["value": taken]) == 3)
            }
            _ = try tree("value_put", ["value": one])
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("a call that cannot release one of its handles releases none")
    func both() async throws {
        try await withTree { tree in
            let (left, right) = (try tree.node(1), try tree.node(2))
            var iterator: Payload? = try tree("iterator_new", ["root": right])
            let both: Payload = ["left": left, "right": right]
            #expect(tree.refusal("node_free_both", both)?.contains("while others need it (1)") == true)
            #expect(try tree("node_number", ["node": left]) == 1)
            #expect(try tree("iterator_step", ["iterator": try #require(iterator)]) == 2)
            iterator = nil
            _ = try tree("node_free_both", both)
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("the message of an error is not made with a part that the call has ended")
    func endedInFormula() async throws {
        try await withTree { tree in
            let root = try tree.node(1)
            _ = try tree("node_append_child", ["parent": root, "child": try tree.node(2)])
            let part = try tree("node_first_child", ["node": root])
            #expect(tree.refusal("node_remove", ["node": part]) == "tree_node_remove returned 2")
            #expect(try tree("node_remove", ["node": root]) == 1)
            _ = try tree("node_free", ["node": root])
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test("a walk from part to part makes no chain of handles")
    func walk() async throws {
        try await withTree { tree in
            let root = try tree.node(1)
            _ = try tree("node_append_child", ["parent": root, "child": try tree.node(2)])
            var part = try tree("node_first_child", ["node": root])
            // A chain of so many could not be released: each end would be within the one before.
            for _ in 0..<30_000 {
                part = try tree("node_parent", ["node": part])
                part = try tree("node_first_child", ["node": part])
            }
            #expect(try tree("node_number", ["node": part]) == 2)
            _ = try tree("node_free", ["node": root])
            #expect(try tree.counts == [0, 0])
        }
    }

    @Test(
        "calls in a random order use nothing that is freed, and free everything",
        arguments: 1...12 as ClosedRange<UInt64>)
    func random(seed: UInt64) async throws {
        try await withTree { tree in
            var random = SplitMix64(seed: seed)
            var handles: [String: [Payload]] = [:]
            func pick(_ kind: String) throws(LinkError) -> Payload {
                guard let all = handles[kind], !all.isEmpty else {
                    throw LinkError(.methodFailed, message: "no handle")
                }
                return all[Int.random(in: 0..<all.count, using: &random)]
            }
            /// The kinds that a function takes, by the names of its parameters, and the kind that it returns.
            let calls: [(name: String, takes: [(String, String)], returns: String?)] = [
                ("node_new", [], "Node"), ("node_new", [], "Node"), ("node_free", [("node", "Node")], nil),
                ("node_append_child", [("parent", "Node"), ("child", "Node")], nil),
                ("node_append_child", [("parent", "Node"), ("child", "Node")], nil),
                ("node_take_first", [("parent", "Node")], "Node"), ("node_clear", [("node", "Node")], nil),
                ("node_first_child", [("node", "Node")], "Node"), ("node_next", [("node", "Node")], "Node"),
                ("node_parent", [("node", "Node")], "Node"), ("node_number", [("node", "Node")], nil),
                ("iterator_new", [("root", "Node")], "Iterator"), ("iterator_step", [("iterator", "Iterator")], nil),
                ("iterator_free", [("iterator", "Iterator")], nil), ("cursor_new", [], "Cursor"),
                ("cursor_point", [("cursor", "Cursor"), ("node", "Node")], nil),
                ("cursor_number", [("cursor", "Cursor")], nil), ("cursor_free", [("cursor", "Cursor")], nil),
                ("value_new", [], "Value"), ("value_get", [("value", "Value")], "Value"),
                ("value_put", [("value", "Value")], nil), ("value_number", [("value", "Value")], nil),
                ("value_set", [("object", "Value"), ("item", "Value")], nil),
                ("value_item", [("object", "Value")], "Value"), ("value_del", [("object", "Value")], nil),
                ("value_take", [("object", "Value")], "Value"), ("watch_new", [("value", "Value")], "Watch"),
                ("watch_number", [("watch", "Watch")], nil), ("watch_free", [("watch", "Watch")], nil),
            ]
            var performed = 0
            for _ in 0..<TestLength.rounds(600, long: 20_000) {
                let call = calls[Int.random(in: 0..<calls.count, using: &random)]
                do throws(LinkError) {
                    var arguments: [(String, Payload)] = []
                    for (name, kind) in call.takes { arguments.append((name, try pick(kind))) }
                    if call.name.hasSuffix("_new"), call.takes.isEmpty, call.name != "cursor_new" {
                        arguments.append(("number", 1))
                    }
                    if ["value_set", "value_item", "value_del", "value_take"].contains(call.name) {
                        arguments.append(("key", Payload(Int.random(in: 0..<3, using: &random))))
                    }
                    let result = try tree(call.name, .map(arguments))
                    performed += 1
                    if let kind = call.returns, result != .null { handles[kind, default: []].append(result) }
                } catch {
                    // Most are handles that have been released, or that others need.
                }
                // Some handles are dropped, which releases them or not.
                for (kind, all) in handles where all.count > 12 {
                    handles[kind]?.remove(at: Int.random(in: 0..<all.count, using: &random))
                }
            }
            #expect(performed > 100)
            handles = [:]
            let counts = try tree.counts
            #expect(counts == [0, 0])
        }
    }

    @Test("families that become one are used by one thread at a time", arguments: 1...8)
    func families(round: Int) async throws {
        let families = (0..<4).map { _ in HandleFamily() }
        // Guarded by the families once they are one, and by nothing else.
        let counter = Counter()
        families[0].join(families[1])
        families[2].join(families[3])
        try families[1].enter()
        try families[2].enter()
        families[1].join(families[2])
        families[2].leave()
        families[1].leave()
        try await onThreads(4) { index in
            for _ in 0..<2000 {
                try families[index].enter()
                counter.value += 1
                families[index].leave()
            }
        }
        #expect(counter.value == 8000)
        #expect(families.map(\.owner) == [0, 0, 0, 0])
    }

    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        let errors = Lock<[String]>([])
        let left = Lock(count)
        for index in 0..<count {
            Thread.detachNewThread {
                do {
                    try body(index)
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
                left.withLock { $0 -= 1 }
            }
        }
        let areDone = await holds { left.withLock { $0 } == 0 }
        #expect(areDone)
        #expect(errors.withLock { $0 } == [])
    }

    // Unchecked: the tests use it on the threads that own a family.
    private final class Counter: @unchecked Sendable {
        var value = 0
    }
}
