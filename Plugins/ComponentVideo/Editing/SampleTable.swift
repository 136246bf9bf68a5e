import NXKit

/// The samples of a track: when each is decoded and shown, how large it is, and where it is in the file (`stbl`, ISO/IEC
/// 14496-12, section 8.5).
///
/// It takes a few bytes for each sample, and less where samples in a row have something in common.
struct SampleTable: Sendable {
    /// Samples that are in a row in the file (section 8.7.4).
    struct Chunk: Hashable, Sendable {
        /// The samples, counted from 0.
        var samples: Range<UInt64>
        /// The offset of the first of them in the file.
        var offset: UInt64
        /// The number of their description, from 1 on.
        var description: UInt32
    }

    /// A division of the samples into groups (sections 8.9.2 and 8.9.3).
    struct Group: Hashable, Sendable {
        /// What the groups are about, with a parameter if the box has one, as in the box.
        var type: [UInt8]
        /// The number of the group of each sample; 0 for none.
        var members: SampleRuns<UInt32>
    }

    /// Samples in a row whose times grow by the same step.
    struct TimedRun {
        var samples: Range<UInt64>
        /// When the first of them is decoded, in the media's timescale.
        var decoded: Int64
        var step: UInt32
        /// How much later each of them is shown.
        var offset: Int32

        /// When the sample is shown.
        func shown(_ sample: UInt64) -> Int64 {
            decoded + Int64(sample - samples.lowerBound) * Int64(step) + Int64(offset)
        }

        /// The last sample of the run that is shown at a time or before; nil if none is.
        func last(shownBy time: Int64) -> UInt64? {
            let start = decoded + Int64(offset)
            guard start <= time else { return nil }
            guard step > 0 else { return samples.upperBound - 1 }
            return samples.lowerBound + min(UInt64(time - start) / UInt64(step), UInt64(samples.count) - 1)
        }
    }

    /// How long each sample is decoded before the next one (`stts`, section 8.6.1.2).
    var durations = SampleRuns<UInt32>()
    /// How much later than decoded each sample is shown (`ctts`, section 8.6.1.3); empty if no sample is.
    var offsets = SampleRuns<Int32>()
    /// The size of each sample (`stsz` and `stz2`, section 8.7.3).
    var sizes = SampleSizes.same(0, count: 0)
    /// The samples, counted from 0, at which decoding can begin (`stss`, section 8.6.2); nil if it can at each.
    var syncSamples: [UInt32]?
    /// The box `stsd` with the descriptions of the samples (section 8.5.2), and how many it has.
    var descriptions: (box: [UInt8], count: UInt32) = ([], 0)
    /// The groups of samples, and the boxes that describe the groups.
    var groups: [Group] = []
    var groupDescriptions: [[UInt8]] = []
    /// How many samples before the first one that is heard a decoder of sound needs (section 10.1.1.1).
    var preroll: UInt64 = 0
    /// Where the samples are: the offsets of the chunks (`stco` and `co64`, section 8.7.5), and from which chunk on each
    /// has how many samples (`stsc`, section 8.7.4).
    var chunkOffsets: [UInt64] = []
    var chunkRuns: [(firstChunk: UInt32, samples: UInt32, description: UInt32)] = []

    /// The number of samples.
    var count: UInt64 { sizes.count }

    /// The number of units from the first to the end of the last sample as they are decoded, less than 2^62.
    var decodedDuration: UInt64 { durations.runs.reduce(0) { $0 + UInt64($1.count) * UInt64($1.value) } }

    /// Calls `visit` with all samples in the order in which they are decoded.
    func forEachTimedRun(_ visit: (TimedRun) -> Void) {
        var (index, used): (Int, UInt32) = (0, 0)
        var (sample, time): (UInt64, Int64) = (0, 0)
        for run in durations.runs {
            var left = run.count
            while left > 0 {
                var (piece, offset): (UInt32, Int32) = (left, 0)
                if index < offsets.runs.count {
                    piece = min(left, offsets.runs[index].count - used)
                    offset = offsets.runs[index].value
                    used += piece
                    if used == offsets.runs[index].count { (index, used) = (index + 1, 0) }
                }
                visit(
                    TimedRun(
                        samples: sample..<sample + UInt64(piece), decoded: time, step: run.value, offset: offset))
                sample += UInt64(piece)
                time += Int64(piece) * Int64(run.value)
                left -= piece
            }
        }
    }

    /// When the first sample that is shown is shown, and when the last one ends, in the media's timescale.
    var shownRange: Range<Int64> {
        var (first, last) = (Int64.max, Int64.min)
        forEachTimedRun { run in
            first = min(first, run.shown(run.samples.lowerBound))
            last = max(last, run.shown(run.samples.upperBound - 1) + Int64(run.step))
        }
        return first <= last ? first..<last : 0..<0
    }

    /// When a sample is decoded, in the media's timescale.
    func decodeTime(of sample: UInt64) -> UInt64 { part(of: durations, before: sample) }

    private func part(of durations: SampleRuns<UInt32>, before sample: UInt64) -> UInt64 {
        durations.part(0..<sample).runs.reduce(0) { $0 + UInt64($1.count) * UInt64($1.value) }
    }

    /// Returns the samples that a decoder needs to show a stretch of the media: from the last sync sample that is shown
    /// by its beginning, and for sound a few samples before it, to the last sample that is shown before its end.
    ///
    /// What is shown after a sync sample follows it as the samples are decoded (section 8.6.2).
    ///
    /// - Parameter times: The stretch, in the media's timescale.
    /// - Returns: Nil if nothing is shown then.
    func samples(shownIn times: Range<Int64>) -> Range<UInt64>? {
        var (current, last): (UInt64?, UInt64?)
        forEachTimedRun { run in
            if let sample = run.last(shownBy: times.upperBound - 1) { last = max(last ?? 0, sample) }
            if let sample = run.last(shownBy: times.lowerBound), let sync = syncSample(in: run, by: sample) {
                current = max(current ?? 0, sync)
            }
        }
        guard let last else { return nil }
        var first = current ?? 0
        if preroll > 0, first > 0 { first = syncSample(by: first - min(first, preroll)) ?? 0 }
        return first..<last + 1
    }

    private func syncSample(in run: TimedRun, by sample: UInt64) -> UInt64? {
        syncSample(by: sample).flatMap { $0 >= run.samples.lowerBound ? $0 : nil }
    }

    /// Returns the last sync sample up to a sample; nil if there is none.
    private func syncSample(by sample: UInt64) -> UInt64? {
        guard let syncSamples else { return sample }
        // The first one behind the sample.
        var (low, high) = (0, syncSamples.count)
        while low < high {
            let middle = (low + high) / 2
            if UInt64(syncSamples[middle]) <= sample { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? UInt64(syncSamples[low - 1]) : nil
    }

    /// Calls `visit` with the chunks, as far as they have some of these samples.
    func forEachChunk(of samples: Range<UInt64>, _ visit: (Chunk) throws(FileError) -> Void) throws(FileError) {
        var (run, first): (Int, UInt64) = (0, 0)
        for (index, offset) in chunkOffsets.enumerated() {
            if run + 1 < chunkRuns.count, Int(chunkRuns[run + 1].firstChunk) == index { run += 1 }
            let all = first..<min(first + UInt64(chunkRuns[run].samples), count)
            let wanted = samples.clamped(to: all)
            if !wanted.isEmpty {
                let before = sizes.total(all.lowerBound..<wanted.lowerBound)
                // Checked when the table was read: all chunks are in the file.
                try visit(
                    Chunk(samples: wanted, offset: offset + before, description: chunkRuns[run].description))
            }
            first = all.upperBound
            guard first < samples.upperBound else { return }
        }
    }
}
