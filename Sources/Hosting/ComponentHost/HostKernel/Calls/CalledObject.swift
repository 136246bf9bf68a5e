import CGlibc
import CHSLink
import ComponentKit

/// An object that is called, and the component that it belongs to.
@safe
// Unchecked: a pointer to a run state, which is never freed.
struct CalledObject: @unchecked Sendable {
    let object: LinkObject
    /// Empty for a closure.
    let selector: String
    /// The component; nil for the program's own objects, and for those whose component is unknown.
    let unit: ComponentUnit?
    let limiter: ConcurrencyLimiter
    /// The state and the identity of the component value that has made the object.
    let runState: UnsafeMutablePointer<ComponentRunState>
    let counters: MethodCounters
    /// Whether the code behind the object marks the thread by itself.
    let isBracketed: Bool

    var callee: Callee {
        Callee(
            unit: unit, counters: counters, className: object.className, selector: selector,
            isWaitedFor: !(selector == "next" && object.isNamed("stream")))
    }
}

/// Count the calls of a component's objects.
struct ObjectCounters: Sendable {
    let closures: MethodCounters
    /// Counts the calls of objects that are not instances of declared classes, such as streams.
    let others: MethodCounters

    /// - Parameter component: the name of the component; empty for the program.
    init(_ component: String, _ table: CounterTable) {
        closures = table.row(of: component, className: "closure", selector: "", kind: .object)
        others = table.row(of: component, className: "object", selector: "", kind: .object)
    }

    /// Returns what counts the calls of an object.
    ///
    /// - Parameter component: the component of the object, if it is in memory.
    func counters(
        for object: LinkObject, _ selector: String, of component: LoadedComponent?
    ) -> MethodCounters {
        if selector.isEmpty { return closures }
        guard let linkClass = component?.classes.first(where: { object.isNamed($0.name) }) else { return others }
        guard let method = unsafe linkClass.find(selector, .object) else { return linkClass.missing }
        return unsafe method.pointee.counters.takeUnretainedValue()
    }
}

// Finds out which component an object belongs to.
extension HostCore {
    /// Returns an object as something that can be called.
    func called(_ object: LinkObject, _ selector: String) -> CalledObject {
        if let owner = unsafe object.owner {
            let table = unsafe HostTable.of(owner.host)
            return unsafe CalledObject(
                object: object, selector: selector, unit: table.unit, limiter: table.unit.limiter,
                runState: table.runState,
                counters: table.objectCounters.counters(for: object, selector, of: table.unit.resident),
                isBracketed: owner.enters)
        }
        if !object.isOwn, let unit = unsafe component(withCodeAt: object.codeAddress), let component = unit.resident {
            return unsafe CalledObject(
                object: object, selector: selector, unit: unit, limiter: unit.limiter, runState: component.runState,
                counters: component.objectCounters.counters(for: object, selector, of: component),
                isBracketed: false)
        }
        let image = object.isOwn ? 0 : unsafe UInt(bitPattern: hslink_image_of(object.codeAddress))
        return unsafe CalledObject(
            object: object, selector: selector, unit: nil, limiter: engine.limiter(ofImageAt: image),
            runState: ComponentRunState.ofHost,
            counters: engine.ownObjectCounters.counters(for: object, selector, of: nil), isBracketed: object.isOwn)
    }

    /// Returns the component whose file contains this code; nil if there is none.
    func component(withCodeAt address: UnsafeRawPointer) -> ComponentUnit? {
        let code = UInt(bitPattern: address)
        if let known = engine.codeOwners.withLock({ $0[code] }), let unit = known.unit,
            unit.resident?.image == known.image
        {
            return unit
        }
        // Slow: the loader takes a lock and looks for the nearest symbol.
        let image = unsafe UInt(bitPattern: hslink_image_of(address))
        guard let unit = registry.all.first(where: { $0.resident?.image == image }) else { return nil }
        engine.codeOwners.withLock { owners in
            // Code that is made while the program runs may have any number of addresses.
            if owners.count >= CodeOwner.most { owners.removeAll() }
            owners[code] = CodeOwner(unit: unit, image: image)
        }
        return unit
    }
}

/// A component to whose file the code at an address belongs, unless it no longer exists.
struct CodeOwner: Sendable {
    weak let unit: ComponentUnit?
    /// The address of the file in memory.
    let image: UInt

    static let most = 4096
}
