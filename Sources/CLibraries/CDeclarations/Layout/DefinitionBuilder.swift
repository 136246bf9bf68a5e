/// The parsed content between the braces of a struct or union.
struct RecordBody {
    var fields: [PendingField] = []
    /// The names of all fields, including those of unnamed members.
    var names: Set<String> = []
    /// The reason why the record has no layout: an error.
    var obstacle: CObstacle?
    var hasFlexibleArray = false
}

/// Builds the definition of a record from its body.
struct DefinitionBuilder {
    let record: CRecord
    let body: RecordBody
    let layouter: RecordLayouter
    let attributes: Attributes

    func definition(in scope: Scope, at place: CPlace) -> RecordDefinition {
        let layout: Result<RecordLayouter.Found, CObstacle>
        do throws(CObstacle) {
            if let obstacle = body.obstacle { throw obstacle }
            layout = .success(try layouter.layout(body.fields) { type throws(CObstacle) in try scope.layout(of: type) })
        } catch {
            layout = .failure(error)
        }
        let offsets = (try? layout.get().offsets) ?? []
        let fields = zip(body.fields, offsets).compactMap { field, bit -> CField? in
            guard let width = field.width else { return CField(name: field.name, type: field.type, offset: bit / 8) }
            guard let name = field.name else { return nil }
            return CField(name: name, type: field.type, offset: bit / 8, bits: CBits(start: bit % 8, width: width))
        }
        return RecordDefinition(
            record: record, fields: fields, layout: layout.map(\.whole), isNatural: isNatural(layout, scope),
            hasFlexibleArray: body.hasFlexibleArray, obstacle: obstacle(layout, scope), place: place,
            namedFields: named(fields, scope))
    }

    /// Returns whether the layout is the same as without attributes, here and in nested records.
    private func isNatural(_ layout: Result<RecordLayouter.Found, CObstacle>, _ scope: Scope) -> Bool {
        let natural = RecordLayouter(
            target: scope.target, isUnion: record.isUnion, isPacked: false, packing: nil, alignment: nil)
        let plain = body.fields.map {
            PendingField(
                name: $0.name, type: $0.type, width: $0.width, alignment: nil, isPacked: false, offset: $0.offset)
        }
        guard case .success(let found) = layout,
            let expected = try? natural.layout(
                plain, measuring: { type throws(CObstacle) in try scope.layout(of: type) }),
            expected.offsets == found.offsets, expected.whole == found.whole
        else { return false }
        return body.fields.allSatisfy { field in
            guard case .record(let inner) = field.type.innermostElement.kind else { return true }
            return scope.definition(of: inner)?.isNatural ?? false
        }
    }

    /// Returns the reason why values of the record can't be passed; nil if they can.
    private func obstacle(_ layout: Result<RecordLayouter.Found, CObstacle>, _ scope: Scope) -> CObstacle? {
        if case .failure(let obstacle) = layout { return obstacle }
        if attributes.isTransparentUnion { return CObstacle("\(record.name) is a transparent union") }
        if body.hasFlexibleArray { return CObstacle("\(record.name) ends with an array without a length") }
        if body.fields.contains(where: { $0.width != nil && $0.name == nil }) {
            return CObstacle("\(record.name) has a bit-field without a name")
        }
        for field in body.fields {
            let element = field.type.innermostElement
            let inner: CObstacle? =
                switch element.kind {
                case .unsupported(let type): type.obstacle
                case .record(let record): scope.definition(of: record)?.obstacle
                default: nil
                }
            guard let inner else { continue }
            return field.name.map { CObstacle("the field '\($0)' of \(record.name) can't be passed: \(inner.reason)") }
                ?? inner
        }
        return nil
    }

    private func named(_ fields: [CField], _ scope: Scope) -> [CField] {
        fields.flatMap { field -> [CField] in
            guard field.name == nil, case .record(let inner) = field.type.kind else { return [field] }
            let promoted = scope.definition(of: inner)?.namedFields ?? []
            return promoted.map {
                CField(name: $0.name, type: $0.type, offset: field.offset + $0.offset, bits: $0.bits)
            }
        }
    }
}

extension CType {
    /// The element type of an array, or of the innermost array if arrays are nested; for any other type, the type itself.
    var innermostElement: CType {
        var type = self
        while case .array(let element, _) = type.kind { type = element }
        return type
    }

    fileprivate var isUnnamedRecord: Bool {
        if case .record(let record) = innermostElement.kind { record.tag == nil } else { false }
    }
}

extension RecordDefinition {
    /// Returns whether two definitions of the same tag are equal.
    func isSame(as other: RecordDefinition) -> Bool {
        guard fields.count == other.fields.count, layout == other.layout else { return false }
        // Each definition creates new unnamed structs, so they have no identity to compare.
        return zip(fields, other.fields).allSatisfy { one, two in
            guard one.name == two.name, one.offset == two.offset, one.bits == two.bits else { return false }
            return one.type == two.type || (one.type.isUnnamedRecord && two.type.isUnnamedRecord)
        }
    }
}
