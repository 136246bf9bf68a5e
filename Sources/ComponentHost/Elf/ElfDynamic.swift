/// What the dynamic section of a shared object says to the dynamic loader.
package struct ElfDynamic: Sendable, Hashable {
    /// The libraries that it needs (`DT_NEEDED`), in order.
    package var needed: [String] = []
    /// Its own name (`DT_SONAME`).
    package var soname: String?
    /// Libraries that it filters (`DT_FILTER`, `DT_AUXILIARY`), which are loaded like those that it needs.
    package var filtered: [String] = []
    /// Where the loader looks for the libraries (`DT_RUNPATH`, else `DT_RPATH`), split at colons. An empty entry is the
    /// working directory.
    package var runPath: [String] = []
    /// Whether there is a `DT_RUNPATH`: it counts for this file alone, and no `DT_RPATH` of those that need it does.
    package var hasRunPath = false
    /// Whether it is a program (`DF_1_PIE`), which the dynamic loader does not open.
    package var isProgram = false

    /// Whether it uses the Swift runtime of the process rather than its own.
    package var sharesSwiftRuntime: Bool { needed.contains("libswiftCore.so") }

    var stringTable: UInt64 = 0
    var stringTableSize: UInt64 = 0
    var symbolTable: UInt64 = 0
    var hash: UInt64 = 0
    var gnuHash: UInt64 = 0

    package init() {}
}
