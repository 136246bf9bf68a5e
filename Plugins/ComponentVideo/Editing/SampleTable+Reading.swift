import NXKit

extension SampleTable {
    /// The most samples that a decoder may ask for before the first one that is heard.
    private static let longestPreroll: UInt64 = 1000
    /// The size of the largest box that is copied as it is, such as the descriptions of samples: 1 MiB.
    static let largestCopy: UInt64 = 1 << 20

    /// Reads the box `stbl` at `box`.
    ///
    /// - Parameter isSound: Whether the samples are sound.
    /// - Throws: `malformed` if a table is missing, contradicts another one, or leads out of the file; `unsupported` if
    ///   the samples are encrypted or in another file, or if their sizes are not in the tables; `limitExceeded`.
    static func read(_ box: Box, in boxes: BoxFile, isSound: Bool) throws(FileError) -> SampleTable {
        var table = SampleTable()
        var found: [FourCC: Box] = [:]
        var cursor = BoxCursor(in: box)
        while let child = try boxes.next(&cursor) {
            switch child.type {
            case "saiz", "saio", "senc": throw boxes.file.error(.unsupported, encrypted)
            case "sbgp": try table.readGroups(child, boxes)
            case "sgpd": try table.readGroupDescription(child, boxes)
            default: if found[child.type] == nil { found[child.type] = child }
            }
        }
        func needed(_ types: FourCC...) throws(FileError) -> Box {
            if let type = types.first(where: { found[$0] != nil }), let child = found[type] { return child }
            let place = "the box 'stbl' at byte \(box.start)"
            throw boxes.file.error(.malformed, "a box '\(types[0])' was expected in \(place), but there is none")
        }
        try table.readDescriptions(try needed("stsd"), boxes)
        try table.readSizes(try needed("stsz", "stz2"), boxes)
        guard table.count > 0 else { return table }
        try table.readDurations(try needed("stts"), boxes)
        if let child = found["ctts"] { try table.readOffsets(child, boxes) }
        if let child = found["stss"] { try table.readSyncSamples(child, boxes) }
        try table.readChunks(try needed("stsc"), offsets: try needed("stco", "co64"), in: boxes)
        if isSound { try table.checkSound(boxes) }
        for index in table.groups.indices {
            table.groups[index].members = table.groups[index].members.part(0..<table.count)
            table.groups[index].members.fill(to: table.count, with: 0)
        }
        return table
    }

    /// Those of the standard (section 8.12), and Apple's.
    private static let encryptedFormats: Set<FourCC> = ["encv", "enca", "enct", "encs", "drms", "drmi"]
    private static let encrypted = "it is encrypted; films can be edited only without encryption"

    /// `stsd`: the descriptions, which are copied.
    private mutating func readDescriptions(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var reader = try boxes.reader(box, from: 4, count: 4)
        descriptions = (try boxes.copy(box, most: SampleTable.largestCopy), try reader.uint32())
        var cursor = BoxCursor(in: box, from: 8)
        var number: UInt32 = 0
        // Old QuickTime files have padding behind the last one.
        while number < descriptions.count, let entry = try boxes.next(&cursor) {
            if SampleTable.encryptedFormats.contains(entry.type) {
                throw boxes.file.error(.unsupported, SampleTable.encrypted)
            }
            number += 1
        }
    }

    /// `stsz`, and `stz2` with sizes of 4, 8 or 16 bits.
    private mutating func readSizes(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var reader = try boxes.reader(box, from: 4, count: 8)
        let first = try reader.uint32()
        let count = try reader.uint32()
        if box.type == "stsz", first > 0 {
            sizes = .same(first, count: UInt64(count))
            return
        }
        var list: [UInt32] = []
        switch (box.type, first & 0xFF) {
        case ("stsz", _):
            try boxes.table(of: box, from: 12, count: count, entrySize: 4) { entry throws(FileError) in
                list.append(try entry.uint32())
            }
        case (_, 16):
            try boxes.table(of: box, from: 12, count: count, entrySize: 2) { entry throws(FileError) in
                list.append(UInt32(try entry.uint16()))
            }
        case (_, 8):
            try boxes.table(of: box, from: 12, count: count, entrySize: 1) { entry throws(FileError) in
                list.append(UInt32(try entry.uint8()))
            }
        case (_, 4):
            let pairs = count / 2 + count % 2
            try boxes.table(of: box, from: 12, count: pairs, entrySize: 1) { entry throws(FileError) in
                let pair = UInt32(try entry.uint8())
                list += [pair >> 4, pair & 0xF]
            }
            // The last byte may have one size only.
            if list.count > count { list.removeLast() }
        default:
            throw boxes.file.error(
                .malformed, "sizes of 4, 8 or 16 bits were expected in the box 'stz2', found \(first & 0xFF)")
        }
        sizes = .each(list)
    }

    private mutating func readDurations(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var header = try boxes.reader(box, from: 4, count: 4)
        var total: UInt64 = 0
        try boxes.table(of: box, from: 8, count: try header.uint32(), entrySize: 8) { entry throws(FileError) in
            let (count, duration) = (try entry.uint32(), try entry.uint32())
            let used = UInt32(min(UInt64(count), self.count - durations.count))
            let (sum, overflow) = total.addingReportingOverflow(UInt64(used) * UInt64(duration))
            guard !overflow, sum < .longestTime else {
                throw entry.error(.malformed, "the durations of its samples add up to more than 62 bits can hold")
            }
            total = sum
            durations.append(used, of: duration)
        }
        guard durations.count == count else {
            throw boxes.file.error(
                .malformed, "the box 'stts' has durations of \(durations.count) samples, but there are \(count)")
        }
    }

    /// `ctts`. Old programs wrote signed numbers in version 0, too, in which numbers of 2^31 or more make no sense.
    private mutating func readOffsets(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var header = try boxes.reader(box, from: 4, count: 4)
        try boxes.table(of: box, from: 8, count: try header.uint32(), entrySize: 8) { entry throws(FileError) in
            let count = try entry.uint32()
            offsets.append(UInt32(min(UInt64(count), self.count - offsets.count)), of: try entry.int32())
        }
        offsets.fill(to: count, with: 0)
    }

    private mutating func readSyncSamples(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var header = try boxes.reader(box, from: 4, count: 4)
        var list: [UInt32] = []
        try boxes.table(of: box, from: 8, count: try header.uint32(), entrySize: 4) { entry throws(FileError) in
            let number = try entry.uint32()
            guard number > (list.last.map { $0 + 1 } ?? 0), UInt64(number) <= count else {
                throw entry.error(.malformed, "the sync sample \(number) is out of order, or behind the last sample")
            }
            list.append(number - 1)
        }
        syncSamples = list
    }

    /// `stsc`, and `stco` or `co64`.
    private mutating func readChunks(_ box: Box, offsets: Box, in boxes: BoxFile) throws(FileError) {
        var header = try boxes.reader(offsets, from: 4, count: 4)
        let isLarge = offsets.type == "co64"
        try boxes.table(of: offsets, from: 8, count: try header.uint32(), entrySize: isLarge ? 8 : 4) {
            entry throws(FileError) in
            chunkOffsets.append(isLarge ? try entry.uint64() : UInt64(try entry.uint32()))
        }
        header = try boxes.reader(box, from: 4, count: 4)
        try boxes.table(of: box, from: 8, count: try header.uint32(), entrySize: 12) { entry throws(FileError) in
            let (first, samples, description) = (try entry.uint32(), try entry.uint32(), try entry.uint32())
            let isInOrder = chunkRuns.last.map { first > $0.firstChunk + 1 } ?? (first == 1)
            guard isInOrder, samples > 0 else {
                throw entry.error(.malformed, "chunks in order, each with a sample, were expected in the box 'stsc'")
            }
            guard 1...max(descriptions.count, 1) ~= description else {
                throw entry.error(
                    .malformed, "its samples have description \(description), but there are \(descriptions.count)")
            }
            chunkRuns.append((first - 1, samples, description))
        }
        try checkChunks(boxes)
    }

    /// Checks that the chunks have all samples and are in the file, and that none is there twice.
    private func checkChunks(_ boxes: BoxFile) throws(FileError) {
        var (last, total): (UInt64, UInt64) = (0, 0)
        if !chunkRuns.isEmpty {
            try forEachChunk(of: 0..<count) { chunk throws(FileError) in
                let length = sizes.total(chunk.samples)
                guard chunk.offset <= boxes.file.size, length <= boxes.file.size - chunk.offset else {
                    let place = "the samples at byte \(chunk.offset) are \(length) bytes long"
                    throw boxes.file.error(
                        .malformed, "\(place), but the file ends at byte \(boxes.file.size); copy the file again")
                }
                last = chunk.samples.upperBound
                total += length  // less than 2^64, as the sizes of all samples are
            }
        }
        guard last == count else {
            throw boxes.file.error(.malformed, "its chunks have \(last) samples, but there are \(count)")
        }
        guard total <= boxes.file.size else {
            throw boxes.file.error(.malformed, "its samples are larger than the file, so they overlap")
        }
    }

    /// `sbgp`: which group each sample is in.
    private mutating func readGroups(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        var reader = try boxes.reader(box, upTo: 16)
        let header = try FullBoxHeader(&reader)
        let type = try reader.run(of: header.version == 0 ? 4 : 8)
        var members = SampleRuns<UInt32>()
        try boxes.table(
            of: box, from: UInt64(8 + type.count), count: try reader.uint32(), entrySize: 8
        ) { entry throws(FileError) in
            members.append(try entry.uint32(), of: try entry.uint32())
        }
        groups.append(Group(type: type, members: members))
    }

    /// `sgpd`: what the groups are; of those with the types `roll` and `prol`, how many samples before one of them a
    /// decoder needs.
    private mutating func readGroupDescription(_ box: Box, _ boxes: BoxFile) throws(FileError) {
        groupDescriptions.append(try boxes.copy(box, most: SampleTable.largestCopy))
        var reader = try boxes.reader(box, upTo: 20)
        let header = try FullBoxHeader(&reader)
        let type = try reader.fourCC()
        guard type == "roll" || type == "prol", header.version == 1, try reader.uint32() == 2 else { return }
        try boxes.table(of: box, from: 16, count: try reader.uint32(), entrySize: 2) { entry throws(FileError) in
            let distance = Int16(bitPattern: try entry.uint16())
            if distance < 0 { preroll = max(preroll, min(UInt64(distance.magnitude), SampleTable.longestPreroll)) }
        }
    }

    /// Adds what decoders of sound need before the first sample, unless the file says it. Old QuickTime files count
    /// sound in units of their own, and only its description says how many bytes these have.
    private mutating func checkSound(_ boxes: BoxFile) throws(FileError) {
        guard case .same(let size, _) = sizes else {
            // A packet of MPEG audio is decoded with the end of the one before it.
            preroll = max(preroll, 1)
            return
        }
        // Size, version, flags, count; size, format, reserved, reference; version, revision, vendor; channels, bits.
        var reader = ByteReader(Array(descriptions.box.dropFirst(16).prefix(36)), path: boxes.file.path)
        guard size == 1, (try? reader.skip(24)) != nil, let channels = try? reader.uint16(),
            let bits = try? reader.uint16(), (channels, bits) != (1, 8)
        else { return }
        throw boxes.file.error(
            .unsupported, "the sizes of its sound are not in its tables, as in old QuickTime files; write it again")
    }
}

extension BoxFile {
    /// Returns a box with its header, as it is in the file.
    ///
    /// - Parameter most: The size in bytes beyond which it is refused.
    /// - Throws: `limitExceeded`; errors from reading.
    func copy(_ box: Box, most: UInt64) throws(FileError) -> [UInt8] {
        let size = box.end - box.start
        guard size <= most else {
            throw file.error(.limitExceeded, "the box '\(box.type)' at byte \(box.start) is larger than \(most) bytes")
        }
        var bytes: [UInt8] = []
        while UInt64(bytes.count) < size {
            let piece = Int(min(size - UInt64(bytes.count), UInt64(FileBytes.largestRead)))
            bytes += try file.read(at: box.start + UInt64(bytes.count), count: piece)
        }
        return bytes
    }
}
