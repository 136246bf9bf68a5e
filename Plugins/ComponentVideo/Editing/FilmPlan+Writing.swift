import NXKit

extension FilmPlan {
    /// The boxes before the media, and where the media comes from.
    struct Layout {
        /// Everything before the first sample: `ftyp`, `moov`, and the header of `mdat`.
        let start: [UInt8]
        /// The pieces in the order in which they are written: that of the films that are read, so that the samples of
        /// pictures and sound stay as close together as they are there.
        let pieces: [Piece]
    }

    /// Lays out the film. The description comes first, so that a player can begin before it has everything.
    ///
    /// - Throws: `limitExceeded` if the description would take 4 GB.
    func layout() throws(FileError) -> Layout {
        let all = tracks.flatMap(\.pieces)
        let order = all.indices.sorted {
            (all[$0].source, all[$0].offset, $0) < (all[$1].source, all[$1].offset, $1)
        }
        var offsets = [UInt64](repeating: 0, count: all.count)
        var mediaSize: UInt64 = 0
        for index in order {
            offsets[index] = mediaSize
            mediaSize += all[index].length  // at most the sizes of the films that are read
        }
        let hasLargeMedia = mediaSize + 8 > UInt64(UInt32.max)
        // A description of this size fits, as is checked below. So the size does not depend on the offsets.
        let isLarge = mediaSize + 1 << 30 > UInt64(UInt32.max)
        func start(mediaAt place: UInt64) -> BoxWriter {
            var writer = BoxWriter()
            writer.append(first.brand)
            write(to: &writer, offsets: offsets.map { $0 + place }, isLarge: isLarge)
            writer.uint32(hasLargeMedia ? 1 : UInt32(mediaSize + 8))
            writer.uint32(FourCC("mdat").rawValue)
            if hasLargeMedia { writer.uint64(mediaSize + 16) }
            return writer
        }
        let size = start(mediaAt: 0).bytes.count
        guard size < 1 << 30 else {
            throw first.boxes.file.error(.limitExceeded, "the description of its samples would be larger than 1 GB")
        }
        return Layout(start: start(mediaAt: UInt64(size)).bytes, pieces: order.map { all[$0] })
    }

    /// Writes the box `moov`.
    ///
    /// - Parameters:
    ///   - offsets: Where the pieces of all tracks are, track by track.
    ///   - isLarge: Whether offsets take 64 bits.
    private func write(to writer: inout BoxWriter, offsets: [UInt64], isLarge: Bool) {
        let kept = Set(tracks.map(\.original.id))
        writer.box("moov") { writer in
            first.header.write(duration: tracks.map(\.edits.duration).max() ?? 0, to: &writer)
            var rest = offsets[...]
            for track in tracks {
                track.write(to: &writer, offsets: rest.prefix(track.pieces.count), isLarge: isLarge, kept: kept)
                rest = rest.dropFirst(track.pieces.count)
            }
            for box in movieBoxes { writer.append(box) }
        }
    }
}

extension FilmPlan.Track {
    /// Writes the box `trak`.
    ///
    /// - Parameter kept: The numbers of the tracks that are written. References to others are left out.
    fileprivate func write(
        to writer: inout BoxWriter, offsets: ArraySlice<UInt64>, isLarge: Bool, kept: Set<UInt32>
    ) {
        writer.box("trak") { writer in
            original.header.write(duration: edits.duration, to: &writer)
            edits.write(to: &writer)
            if original.references.tracks.isSubset(of: kept) { writer.append(original.references.box) }
            writer.box("mdia") { writer in
                original.mediaHeader.write(duration: table.decodedDuration, to: &writer)
                for box in original.mediaBoxes { writer.append(box) }
                writer.box("minf") { writer in
                    for box in original.informationBoxes { writer.append(box) }
                    writer.box("stbl") { writer in
                        table.write(to: &writer)
                        writeChunks(to: &writer, offsets: offsets, isLarge: isLarge)
                    }
                }
            }
            for box in original.trackBoxes { writer.append(box) }
        }
    }

    /// Writes `stsc`, and `stco` or `co64`.
    private func writeChunks(to writer: inout BoxWriter, offsets: ArraySlice<UInt64>, isLarge: Bool) {
        let changes = pieces.indices.filter { index in
            index == 0 || pieces[index].samples != pieces[index - 1].samples
                || pieces[index].description != pieces[index - 1].description
        }
        writer.fullBox("stsc") { writer in
            writer.uint32(UInt32(changes.count))
            for index in changes {
                writer.uint32(UInt32(index + 1))
                writer.uint32(pieces[index].samples)
                writer.uint32(pieces[index].description)
            }
        }
        writer.fullBox(isLarge ? "co64" : "stco") { writer in
            writer.uint32(UInt32(offsets.count))
            for offset in offsets {
                if isLarge { writer.uint64(offset) } else { writer.uint32(UInt32(truncatingIfNeeded: offset)) }
            }
        }
    }
}

extension SampleTable {
    /// Writes all boxes in `stbl` but those of the chunks.
    fileprivate func write(to writer: inout BoxWriter) {
        writer.append(descriptions.box)
        writer.fullBox("stts") { writer in
            writer.uint32(UInt32(durations.runs.count))
            for run in durations.runs {
                writer.uint32(run.count)
                writer.uint32(run.value)
            }
        }
        if !offsets.runs.isEmpty {
            writer.fullBox("ctts", version: offsets.runs.contains { $0.value < 0 } ? 1 : 0) { writer in
                writer.uint32(UInt32(offsets.runs.count))
                for run in offsets.runs {
                    writer.uint32(run.count)
                    writer.uint32(UInt32(bitPattern: run.value))
                }
            }
        }
        if let syncSamples {
            writer.fullBox("stss") { writer in
                writer.uint32(UInt32(syncSamples.count))
                for sample in syncSamples { writer.uint32(sample + 1) }
            }
        }
        writer.fullBox("stsz") { writer in
            switch sizes {
            case .same(let size, let count):
                writer.uint32(size)
                writer.uint32(UInt32(count))
            case .each(let sizes):
                writer.uint32(0)
                writer.uint32(UInt32(sizes.count))
                for size in sizes { writer.uint32(size) }
            }
        }
        for box in groupDescriptions { writer.append(box) }
        for group in groups {
            writer.fullBox("sbgp", version: group.type.count == 4 ? 0 : 1) { writer in
                writer.append(group.type)
                writer.uint32(UInt32(group.members.runs.count))
                for run in group.members.runs {
                    writer.uint32(run.count)
                    writer.uint32(run.value)
                }
            }
        }
    }
}
