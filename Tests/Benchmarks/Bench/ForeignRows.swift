import CFFI
import ComponentHost
import ComponentKit
import Glibc

/// The rows for a C function with an integer, a double and a pointer: `plain_mixed` of the fixture PlainFunctions.
struct ForeignRows {
    let host: LinkHost
    /// Absolute path of the library.
    let library: String

    private static let count = 1_000_000

    func run() throws -> [Measurement] {
        var rows: [Measurement] = []
        if let row = raw() { rows.append(row) }
        // Checking and converting may take one and a half times as long as libffi.
        let target = (rows.first?.nanoseconds ?? 60) * 2.5
        var sink = 0.0
        let payload: Payload = ["number": 3, "factor": 0.5, "text": "A"]
        let mixed = try host.bind("BenchPlain", "plain_mixed")
        rows.append(
            try .run("described function, bound, prepared payload", count: ForeignRows.count, target: target) { count in
                for _ in 0..<count { sink += try mixed(payload).double() }
            })
        let bytes = try host.bind("BenchPlain", "plain_mixed_bytes")
        let lent: Payload = ["number": 3, "factor": 0.5, "text": .bytes([65])]
        if (try? bytes(lent)) != nil {
            rows.append(
                try .run("the same with lent bytes", count: ForeignRows.count, target: target) { count in
                    for _ in 0..<count { sink += try bytes(lent).double() }
                })
        }
        if sink == 1 { print("") }
        return rows
    }

    /// libffi itself, with everything prepared.
    private func raw() -> Measurement? {
        guard let handle = unsafe dlopen(library, RTLD_NOW | RTLD_LOCAL),
            let function = unsafe dlsym(handle, "plain_mixed")
        else { return nil }
        var cif = unsafe ffi_cif()
        var types: [UnsafeMutablePointer<ffi_type>?] = unsafe [
            hslink_ffi_type(FFI_TYPE_SINT64), hslink_ffi_type(FFI_TYPE_DOUBLE), hslink_ffi_type(FFI_TYPE_POINTER),
        ]
        guard let result = unsafe hslink_ffi_type(FFI_TYPE_DOUBLE) else { return nil }
        let text = unsafe strdup("A")
        defer { unsafe free(text) }
        return unsafe types.withUnsafeMutableBufferPointer { types -> Measurement? in
            guard let first = types.baseAddress, unsafe hslink_ffi_prepare(&cif, 0, 3, 0, result, first) == 0 else {
                return nil
            }
            var (number, factor, pointer) = unsafe (Int64(3), 0.5, text)
            var value = 0.0
            return unsafe withUnsafeMutablePointer(to: &number) { number in
                unsafe withUnsafeMutablePointer(to: &factor) { factor in
                    unsafe withUnsafeMutablePointer(to: &pointer) { pointer in
                        var places: [UnsafeMutableRawPointer?] = unsafe [
                            UnsafeMutableRawPointer(number), UnsafeMutableRawPointer(factor),
                            UnsafeMutableRawPointer(pointer),
                        ]
                        return unsafe places.withUnsafeMutableBufferPointer { places -> Measurement? in
                            guard let places = places.baseAddress else { return nil }
                            return .run("raw ffi_call, everything prepared", count: ForeignRows.count * 10) { count in
                                for _ in 0..<count { unsafe hslink_ffi_call(&cif, function, &value, places) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Measures the same calls from Python in a separate process, which prints lines of a name and nanoseconds.
    ///
    /// - Parameter script: The absolute path of `foreign.py`; empty if there is none.
    static func python(_ script: String, _ library: String) -> [Measurement] {
        guard !script.isEmpty, let stream = unsafe popen("python3 '\(script)' '\(library)' 2>/dev/null", "r") else {
            return []
        }
        defer { unsafe pclose(stream) }
        var rows: [Measurement] = []
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, Int32(line.count), stream) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let parts = text.split(separator: "\t")
            guard parts.count == 2, let time = Double(parts[1]) else { continue }
            rows.append(Measurement(name: String(parts[0]), nanoseconds: time, allocations: .nan))
        }
        return rows
    }
}
