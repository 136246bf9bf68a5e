import CHSLink
import ComponentCatalog
import ComponentKit
import Glibc
import Synchronization
import SystemSupport

/// A link class of a loaded component: its methods by name, and its shared instance.
@safe
// Unchecked: its pointers and name tables are set once, in init; instances are atomics or behind a lock.
final class LoadedClass: @unchecked Sendable {
    let name: String
    unowned let unit: ComponentUnit
    /// The component as errors name it.
    let mark: LinkError.ComponentMark
    private let boundaryClass: UnsafePointer<hslink_class>
    private let component: UnsafeMutableRawPointer?
    let runState: UnsafeMutablePointer<ComponentRunState>
    private let entries: UnsafeMutablePointer<MethodEntry>
    private let entryCount: Int
    private let objectMethods: NameTable
    private let classMethods: NameTable
    /// Counts the calls to selectors that the class does not have.
    let missing: MethodCounters
    /// The declared methods by the actions that they answer to.
    private let actions: NameTable
    /// The address of the shared instance; 0 until it is made.
    let sharedInstance = Atomic<UInt>(0)
    private let gate: OnceGate
    /// The instances of a class that has one for each consumer.
    private let consumers: ConsumerInstances
    /// Instances that the class no longer uses.
    let retired = RetiredInstances()
    /// The checks that wrap methods. Kept here, since method entries do not retain them.
    private var checks: [DeclaredPayload] = []

    init(
        _ boundaryClass: UnsafePointer<hslink_class>, name: String, methods: [DescriptorReader.Method],
        unit: ComponentUnit, component: UnsafeMutableRawPointer?, runState: UnsafeMutablePointer<ComponentRunState>,
        counters: CounterTable, models: ParameterModels?
    ) {
        self.name = name
        self.unit = unit
        mark = unit.mark
        gate = OnceGate(of: unit.number)
        consumers = ConsumerInstances(of: unit.number)
        unsafe self.boundaryClass = unsafe boundaryClass
        unsafe self.component = unsafe component
        unsafe self.runState = unsafe runState
        missing = counters.row(of: unit.name, className: name, selector: "", kind: .object)
        entryCount = methods.count
        unsafe entries = .allocate(capacity: max(methods.count, 1))
        let objectSource: MethodEntry.InstanceSource =
            switch unsafe Int(boundaryClass.pointee.instances) {
            case HSLINK_PER_CALL: .perCall
            case HSLINK_PER_CONSUMER: .perConsumer
            default: .shared
            }
        let entries = unsafe entries
        objectMethods = NameTable(
            methods.enumerated().filter { $1.kind == .object }.map { unsafe ($1.name, UInt(bitPattern: entries + $0)) })
        classMethods = NameTable(
            methods.enumerated().filter { $1.kind == .class }.map { unsafe ($1.name, UInt(bitPattern: entries + $0)) })
        let declaration = unit.manifest.classDeclaration(name)
        let declared = Dictionary(firstOf: (declaration?.selectors ?? []).map { ($0.reference, $0) })
        // Methods that the manifest does not declare have no actions: a component answers alike before and after it is
        // loaded.
        actions = NameTable(
            TargetNames.actions(of: name, methods.map { ($0.name, $0.kind) }).compactMap { action, index in
                let reference = SelectorReference(name: methods[index].name, kind: methods[index].kind)
                guard declared[reference] != nil else { return nil }
                return unsafe (action, UInt(bitPattern: entries + index))
            })
        for (index, method) in methods.enumerated() {
            let row = counters.row(of: unit.name, className: name, selector: method.name, kind: method.kind)
            let isAsync = method.flags & UInt32(HSLINK_METHOD_ASYNC) != 0
            let source = method.kind == .class ? .none : objectSource
            let check = unsafe DeclaredPayload(
                declared[SelectorReference(name: method.name, kind: method.kind)], of: unit, models: models,
                function: method.function, context: method.context)
            if let check { checks.append(check) }
            let checkContext = unsafe check.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
            unsafe (entries + index).initialize(
                to: MethodEntry(
                    function: check == nil ? method.function : DeclaredPayload.checked,
                    context: check == nil ? method.context : checkContext, component: component, runState: runState,
                    linkClass: Unmanaged.passUnretained(self), counters: Unmanaged.passUnretained(row),
                    number: row.number, timedShare: isAsync ? CallTiming.all : CallTiming.sampled,
                    ledger: row.ledger.index == 0 ? unit.ledger.index : row.ledger.index, instance: source,
                    isQuick: method.flags & UInt32(HSLINK_METHOD_QUICK) != 0,
                    isAsync: isAsync,
                    selector: method.name, crashText: unsafe UInt(bitPattern: strdup("\(name).\(method.name)"))))
        }
    }

    deinit {
        for index in 0..<entryCount {
            unsafe free(UnsafeMutableRawPointer(bitPattern: entries[index].crashText))
        }
        unsafe entries.deinitialize(count: entryCount)
        unsafe entries.deallocate()
    }

    /// Returns the method with this name and kind.
    @inline(__always)
    func find(_ selector: borrowing String, _ kind: SelectorKind) -> UnsafePointer<MethodEntry>? {
        unsafe UnsafePointer(bitPattern: (kind == .object ? objectMethods : classMethods).find(selector))
    }

    /// The code of a call to a selector that the class does not have.
    var missingCode: LinkError.Code { unsafe runState.isUp ? .selectorNotFound : .stopped }

    /// Counts a call to a selector that the class does not have.
    ///
    /// - Returns: The code of its error.
    func refuseMissing() -> LinkError.Code {
        let code = missingCode
        missing.refuse(code)
        return code
    }

    /// Returns the method that answers to this action.
    @inline(__always)
    func find(action: borrowing String) -> UnsafePointer<MethodEntry>? {
        unsafe UnsafePointer(bitPattern: actions.find(action))
    }

    /// The addresses of the class's method entries, which mark the threads that run its methods.
    var methodAddresses: Range<UInt> {
        let start = unsafe UInt(bitPattern: entries)
        return start..<start + UInt(entryCount * MemoryLayout<MethodEntry>.stride)
    }

    /// Returns the shared instance, and makes it if necessary. One thread makes it while others wait. The calling thread
    /// must be marked as running a method of the class; that keeps the instance from being released meanwhile.
    ///
    /// - Parameter caller: the calling component.
    @inline(never)
    func makeSharedInstance(
        for caller: ComponentNumber, _ gates: OnceGates
    ) throws(LinkError) -> UnsafeMutablePointer<hslink_object> {
        while true {
            if let instance = unsafe UnsafeMutablePointer<hslink_object>(
                bitPattern: sharedInstance.load(ordering: .acquiring))
            {
                return unsafe instance
            }
            // The instance may be taken out of use before this thread reads it; then another one is needed.
            try gates.pass(gate, unless: sharedInstance.load(ordering: .acquiring) != 0, for: caller) {
                () throws(LinkError) in
                let instance = try unsafe CallerContext.withNothingCarried { () throws(LinkError) in
                    try unsafe makeInstance()
                }
                sharedInstance.store(UInt(bitPattern: instance), ordering: .sequentiallyConsistent)
            }
        }
    }

    /// Returns the instance of a consumer, and makes it if necessary. One thread makes it while others from the
    /// same consumer wait.
    ///
    /// - Parameters:
    ///   - consumer: the name of the calling component; empty for the host's own code.
    ///   - caller: the number of the calling component.
    @inline(never)
    func instance(
        for consumer: String, _ caller: ComponentNumber, _ gates: OnceGates
    ) throws(LinkError) -> UnsafeMutablePointer<hslink_object> {
        let slot = consumers.slot(of: consumer)
        while true {
            if let instance = unsafe slot.instance { return unsafe instance }
            try gates.pass(slot.gate, unless: slot.isFilled, for: caller) { () throws(LinkError) in
                let instance = try unsafe CallerContext.withNothingCarried { () throws(LinkError) in
                    try unsafe makeInstance()
                }
                unsafe slot.fill(instance)
            }
        }
    }

    /// Makes an instance with one reference, which the caller owns.
    @inline(never)
    func makeInstance() throws(LinkError) -> UnsafeMutablePointer<hslink_object> {
        guard let make = unsafe boundaryClass.pointee.make else {
            throw LinkError(.selectorNotFound, message: "the class has no instances; call a class method instead")
        }
        var instance: UnsafeMutablePointer<hslink_object>?
        let report = FailureReport()
        let status = unsafe report.withUnsafeFailure {
            unsafe make(boundaryClass.pointee.context, component, &instance, $0)
        }
        guard status == 0, let instance = unsafe instance else {
            let reason = report.error ?? LinkError(.methodFailed, message: "it gave no reason (status \(status))")
            throw LinkError(
                .methodFailed, message: "could not create an instance: \(reason.message)", className: name,
                component: unit.name, cause: reason)
        }
        do throws(PayloadError) {
            unsafe try ObjectCheck.check(instance)
        } catch {
            throw LinkError(.invalidReply, message: "expected a new instance, found \(error.found)", className: name)
        }
        return unsafe instance
    }

    /// Releases all instances that the class keeps; runs before `destroy`.
    func releaseInstances() {
        for instance in takeInstances() + retired.takeAll() { instance.release() }
    }

    /// Takes all instances out of use. Calls that find none from now on make a new one.
    ///
    /// - Returns: The instances, which threads may still be using.
    func takeInstances() -> [OwnedInstance] {
        let shared = OwnedInstance(address: sharedInstance.exchange(0, ordering: .sequentiallyConsistent))
        return consumers.take() + (shared.map { [$0] } ?? [])
    }
}

/// The instances of a link class that has one for each consumer.
final class ConsumerInstances: Sendable {
    /// Holds the instance of one consumer once it is made.
    final class Slot: Sendable {
        let gate: OnceGate
        /// The address of the instance; 0 until it is made and after it is released.
        private let address = Atomic<UInt>(0)

        init(of component: ComponentNumber) { gate = OnceGate(of: component) }

        var isFilled: Bool { address.load(ordering: .acquiring) != 0 }

        var instance: UnsafeMutablePointer<hslink_object>? {
            unsafe UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring))
        }

        /// Takes ownership of the reference. Call it inside ``gate`` only.
        func fill(_ instance: UnsafeMutablePointer<hslink_object>) {
            address.store(UInt(bitPattern: instance), ordering: .sequentiallyConsistent)
        }

        fileprivate func take() -> OwnedInstance? {
            OwnedInstance(address: address.exchange(0, ordering: .sequentiallyConsistent))
        }
    }

    private let component: ComponentNumber
    private let slots = Lock<[ExactText: Slot]>([:])

    /// - Parameter component: the component that has the class.
    init(of component: ComponentNumber) { self.component = component }

    /// Returns the slot of a consumer, and makes it if necessary.
    ///
    /// - Parameter consumer: the name of the calling component; empty for the host's own code.
    func slot(of consumer: String) -> Slot {
        slots.withLock { slots in
            if let slot = slots[ExactText(consumer)] { return slot }
            let slot = Slot(of: component)
            slots[ExactText(consumer)] = slot
            return slot
        }
    }

    /// Takes all instances out of their slots.
    func take() -> [OwnedInstance] { slots.withLock { Array($0.values) }.compactMap { $0.take() } }
}
