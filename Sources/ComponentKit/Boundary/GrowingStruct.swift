extension UnsafeRawPointer {
    /// A copy of a struct of which the other side has `size` bytes: what is not there of it is zero, what there is
    /// more is left out, and no byte beyond is read. It need not be aligned.
    ///
    /// - Parameter type: a struct of C for which all zero is a value in the members that may be missing.
    package func loadBeginning<Value: BitwiseCopyable>(of type: Value.Type, size: Int) -> Value {
        unsafe withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment
        ) { bytes in
            unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: self, count: min(size, bytes.count)))
            return unsafe bytes.load(as: Value.self)
        }
    }
}
