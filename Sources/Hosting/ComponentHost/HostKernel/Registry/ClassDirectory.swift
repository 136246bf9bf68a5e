import ComponentCatalog
import ComponentKit
import Synchronization

/// An immutable snapshot that maps each class to its component. Replaced as a whole when components are added or
/// removed.
final class ClassDirectory: Sendable {
    /// Keeps the units alive while the snapshot is in use.
    private let units: [ComponentUnit]
    private let table: NameTable
    /// Maps each target to its class.
    private let targets: NameTable
    /// The disabled components, whose classes are missing.
    private let disabled: ArraySlice<Catalog.Entry>

    /// - Parameters:
    ///   - units: the components; if two declare the same class, the first one gets it.
    ///   - disabled: those that are not used, for the errors of calls to their classes.
    init(_ units: [ComponentUnit], disabled: ArraySlice<Catalog.Entry> = []) {
        self.units = units
        self.disabled = disabled
        let entries = units.flatMap(\.classEntries).map { entry in
            unsafe (name: entry.name, value: UInt(bitPattern: Unmanaged.passUnretained(entry).toOpaque()))
        }
        table = NameTable(entries)
        targets = NameTable(
            TargetNames.spellings.flatMap { spelling in
                entries.compactMap { entry in
                    TargetNames.target(of: entry.name, spelling: spelling).map { ($0, entry.value) }
                }
            })
    }

    /// Returns the entry of a class. The entry belongs to its unit, which lives as long as this snapshot.
    @inline(__always)
    func find(_ className: borrowing String) -> Unmanaged<ClassEntry>? {
        unsafe UnsafeRawPointer(bitPattern: table.find(className)).map { unsafe Unmanaged.fromOpaque($0) }
    }

    /// Returns the entry of the class of a target; otherwise like ``find(_:)``.
    @inline(__always)
    func find(target: borrowing String) -> Unmanaged<ClassEntry>? {
        unsafe UnsafeRawPointer(bitPattern: targets.find(target)).map { unsafe Unmanaged.fromOpaque($0) }
    }

    /// Returns the disabled component that has a class for which a condition holds; nil if there is none.
    func disabledEntry(where hasName: (_ className: String) -> Bool) -> Catalog.Entry? {
        disabled.first { entry in entry.manifest.classes.contains { hasName($0.name) } }
    }
}

/// A class that a component declares, loaded or not.
final class ClassEntry: Sendable {
    let name: String
    unowned let unit: ComponentUnit
    let declaration: ClassDeclaration
    /// The address of the ``LoadedClass``, which the unit owns; 0 until the component is loaded.
    let loaded = Atomic<UInt>(0)

    init(_ declaration: ClassDeclaration, _ unit: ComponentUnit) {
        name = declaration.name
        self.declaration = declaration
        self.unit = unit
    }

    @inline(__always)
    var loadedClass: Unmanaged<LoadedClass>? {
        unsafe UnsafeRawPointer(bitPattern: loaded.load(ordering: .acquiring)).map { unsafe Unmanaged.fromOpaque($0) }
    }
}

/// A class together with its component, which this keeps alive.
struct ListedClass: Sendable {
    let entry: ClassEntry
    let unit: ComponentUnit
}

/// The result of looking up a class.
@safe
enum FoundClass {
    case none
    /// In memory until the host ends.
    case loaded(Unmanaged<LoadedClass>)
    /// Not loaded, or stopped.
    case listed(ListedClass)
}
