import Synchronization

extension CallThread {
    /// Takes back the newest mark, when it is one for `component`: a component says itself when it leaves, and may say
    /// so once too often.
    ///
    /// - Returns: false when the newest mark is another's, or there is none.
    package func leave(_ component: UInt) -> Bool {
        let newest = unsafe state.pointee.depth - 1
        guard newest >= 0 else { return false }
        // Marks beyond the frames have no name.
        if newest < CallThread.frameCount {
            guard unsafe state.pointee.frames[newest].load(ordering: .relaxed) == component else { return false }
        }
        leave()
        return true
    }
}
