import ComponentKit
import Synchronization

/// Which component has which class: an immutable snapshot, replaced as a whole when components come.
final class ClassDirectory: Sendable {
    private let entries: [ClassEntry]
    private let table: NameTable

    /// - Parameter units: of two with one class the first has it.
    init(_ units: [ComponentUnit]) {
        var entries: [ClassEntry] = []
        for unit in units { entries += unit.classEntries }
        self.entries = entries
        table = NameTable(
            entries.map { unsafe ($0.name, UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque())) })
    }

    /// The entry of a class. It belongs to its unit, which lives as long as the host.
    @inline(__always)
    func find(_ className: String) -> Unmanaged<ClassEntry>? {
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
