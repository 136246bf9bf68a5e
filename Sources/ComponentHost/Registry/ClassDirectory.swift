import ComponentKit
import Synchronization

/// Which component has which class: an immutable snapshot, replaced as a whole when components come.
final class ClassDirectory: Sendable {
    /// Kept as long as somebody reads this.
    private let units: [ComponentUnit]
    private let table: NameTable

    /// - Parameter units: of two with one class the first has it.
    init(_ units: [ComponentUnit]) {
        self.units = units
        table = NameTable(
            units.flatMap(\.classEntries).map { entry in
                unsafe (entry.name, UInt(bitPattern: Unmanaged.passUnretained(entry).toOpaque()))
            })
    }

    /// The entry of a class. It belongs to its unit, which lives as long as this.
    @inline(__always)
    func find(_ className: borrowing String) -> Unmanaged<ClassEntry>? {
        unsafe UnsafeRawPointer(bitPattern: table.find(className)).map { unsafe Unmanaged.fromOpaque($0) }
    }
}

/// A class that some component declares, loaded or not.
final class ClassEntry: Sendable {
    let name: String
    unowned let unit: ComponentUnit
    let declaration: ClassDeclaration
    /// The address of the ``LoadedClass``; 0 until the component is loaded. Belongs to the unit.
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

/// A class with its component, kept by whoever holds this.
struct ListedClass: Sendable {
    let entry: ClassEntry
    let unit: ComponentUnit
}

/// What there is of a class.
@safe
enum FoundClass {
    case none
    /// In memory, until the host ends.
    case loaded(Unmanaged<LoadedClass>)
    /// Not loaded, or stopped.
    case listed(ListedClass)
}
