import CDeclarations

/// Plans how the target of a pointer is passed.
struct PointerPlanner {
    let scope: PlanningScope
    let binder: FormulaBinder
    let type: CType
    let pointee: CType

    /// Plans memory whose length is computed.
    ///
    /// - Parameter tree: The annotations of the fields of items that are structs.
    func buffer(
        _ annotation: Annotation, _ room: Annotation.Room, tree: AnnotationTree
    ) throws(CObstacle) -> BufferPlan {
        if room.endsWithNull { return try endedItems(annotation, tree) }
        let direction = annotation.direction ?? .in
        guard direction == .in || !pointee.isConst else { throw readOnly }
        let content: BufferPlan.Content
        switch annotation.shape {
        case .bytes:
            guard pointee.isByteSized || isVoid else {
                throw CObstacle("\"bytes\" needs a pointer to bytes or to void, not \(type)")
            }
            content = .bytes
        case .string:
            guard pointee.isByteSized || isVoid else {
                throw CObstacle("\"string\" needs a pointer to char or to void, not \(type)")
            }
            // What C writes ends with a NUL, unless the annotation says how much of the room is used.
            content = direction == .in || room.used != nil ? .measuredText : .text
        default:
            let form = try scope.itemForm(of: pointee, tree)
            guard form.size > 0 else { throw CObstacle("\"items\" needs a type with a size, not \(pointee)") }
            if case .callback = form { throw CObstacle("arrays of functions are not supported") }
            if case .handle = form, direction != .in {
                throw CObstacle("handles in an array cannot come out, because nothing says who releases them")
            }
            content = .items(form)
        }
        let size = try binder.bind(room.size)
        guard size.constant ?? 0 >= 0 else { throw CObstacle("a length cannot be negative") }
        return BufferPlan(
            content: content, direction: direction, size: size,
            used: try room.used.map { formula throws(CObstacle) in try binder.bind(formula) }, isConst: pointee.isConst,
            hasNullableItems: pointee.qualifiers.contains(.nullable))
    }

    /// Plans an array of pointers that ends with a null pointer.
    private func endedItems(_ annotation: Annotation, _ tree: AnnotationTree) throws(CObstacle) -> BufferPlan {
        guard case .items? = annotation.shape, annotation.direction ?? .in == .in else {
            throw CObstacle("\"[null]\" is for \"items\" that C reads, returns, or passes to a callback")
        }
        let form = try scope.itemForm(of: pointee, tree)
        switch form {
        case .text, .handle: break
        default: throw CObstacle("\"items[null]\" needs pointers to text or handles, not \(pointee)")
        }
        return BufferPlan(
            content: .endedItems(form), direction: .in, size: .number(0), used: nil, isConst: pointee.isConst,
            hasNullableItems: false)
    }

    /// The symbols of the library's functions that the pointer can lead to, by the names of the functions.
    private var functions: [String: String] {
        if case .function(let function) = pointee.kind { scope.functions(of: function) } else { [:] }
    }

    private var readOnly: CObstacle { CObstacle("\(type) is read-only: remove \"out\" or \"inout\"") }

    private var isVoid: Bool {
        if case .void = pointee.kind { true } else { false }
    }

    /// Plans a parameter.
    func mode(_ tree: AnnotationTree, lives: (Annotation.Bond?) throws(CObstacle) -> Lifetime) throws(CObstacle)
        -> ArgumentPlan.Mode
    {
        let annotation = tree.own ?? Annotation()
        if let left = try left(tree) { return .left(left) }
        switch annotation.shape {
        case .null: return .constant(.pointer, .number(0))
        case .context: return .context
        case .constant(.name(let name)) where scope.declarations.function(named: name) != nil:
            guard let symbol = functions[name] else { throw CObstacle("\(name) is not a function of the type \(type)") }
            return .constant(.pointer, .function(symbol))
        case .constant(let formula): return .constant(.pointer, try binder.bind(formula))
        case .function:
            var functions: [String: String] = [:]
            if case .function(let function) = pointee.kind {
                functions = try scope.functions(of: function, like: tree)
            }
            guard !functions.isEmpty else {
                let annotated = tree.names.isEmpty ? "" : " with these annotations"
                throw CObstacle("no function of the type \(type)\(annotated) is declared")
            }
            return .function(functions)
        case .object:
            guard isVoid, annotation.direction ?? .in == .in else {
                throw CObstacle("\"object\" needs a void *, not \(type)")
            }
            return .object
        case .bytes(let room), .items(let room), .string(let room?):
            return .buffer(try buffer(annotation, room, tree: tree))
        case .handle(let name):
            if case .pointer(let inner) = pointee.kind, annotation.direction == .out {
                return .value(.handle(try scope.handleKind(name, inner)), .out)
            }
            guard annotation.direction ?? .in == .in else {
                throw CObstacle("an output handle needs a pointer to a pointer, not \(type)")
            }
            return .handle(try scope.handleKind(name, pointee))
        case .new:
            let layout = try scope.declarations.layout(of: pointee)
            guard layout.alignment <= 16 else {
                throw CObstacle("\(pointee) must be aligned to \(layout.alignment) bytes; at most 16 are supported")
            }
            return .new(try scope.handleKind(nil, pointee), size: layout.size, alignment: layout.alignment)
        case .string(nil):
            guard pointee.isByteSized || isVoid, annotation.direction ?? .in == .in else {
                throw CObstacle("\"string\" needs a pointer to char; an output string needs room: \"out string[…]\"")
            }
            return .text
        case .ignored, .printf, .types, .union: throw CObstacle("this annotation is not allowed for parameters")
        case nil, .value: break
        }
        if case .function(let function) = pointee.kind {
            return .callback(
                try CallbackPlanner(scope: scope, function, tree).plan(), try lives(annotation.bond))
        }
        if let direction = annotation.direction ?? (annotation.shape == nil ? nil : .in) {
            return .value(try value(direction, tree), direction)
        }
        return try plain(tree)
    }

    /// Plans what the function leaves in the place of a pointer, in memory of its own.
    ///
    /// - Returns: Nil if the annotation is for something else.
    private func left(_ tree: AnnotationTree) throws(CObstacle) -> ResultPlan? {
        guard let annotation = tree.own, annotation.direction == .out, case .pointer(let inner) = pointee.kind else {
            return nil
        }
        switch annotation.shape {
        case .string, .bytes, .object: break
        case nil: guard case .scalar(.char) = inner.kind, annotation.errorRule == nil else { return nil }
        case .value: guard case .record(let record) = inner.kind, scope.isDefined(record) else { return nil }
        // The items are pointers in the caller's array, unless they lead nowhere.
        case .items(let room) where !room.endsWithNull:
            guard case .opaque? = try? scope.form(of: pointee) else { return nil }
        case .items: break
        default: return nil
        }
        guard !pointee.isConst else { throw readOnly }
        var own = annotation
        own.direction = nil
        var tree = tree
        tree.own = own
        return try ResultPlanner(scope: scope, binder: binder, type: pointee, tree: tree, names: []).planTarget()
    }

    /// Plans a field of a struct behind a handle.
    func fieldMode(_ tree: AnnotationTree) throws(CObstacle) -> ArgumentPlan.Mode {
        guard let annotation = tree.own else { throw CObstacle("\(type) needs an annotation") }
        switch annotation.shape {
        case .bytes(let room), .items(let room), .string(let room?):
            return .buffer(try buffer(annotation, room, tree: tree))
        case .string(nil): return .text
        case .null: return .constant(.pointer, .number(0))
        case .constant(let formula): return .constant(.pointer, try binder.bind(formula))
        default: throw CObstacle("a field can only be \"bytes[…]\", \"items[…]\", \"string\", \"null\" or \"= …\"")
        }
    }

    /// Plans one value behind the pointer.
    private func value(_ direction: Annotation.Direction, _ tree: AnnotationTree) throws(CObstacle) -> ValueForm {
        guard direction == .in || !pointee.isConst else { throw readOnly }
        if let obstacle = pointee.obstacleToOneRow { throw obstacle }
        let form = try scope.form(of: pointee, tree)
        switch form {
        case .opaque:
            throw CObstacle("\(pointee) needs \"handle(name)\" or \"string\" to be an output; its size is unknown")
        case .callback: throw CObstacle("a function cannot be an output")
        case .text where direction == .inout: throw CObstacle("a string is an input or an output, not both")
        default: return form
        }
    }

    /// Plans a parameter whose annotation does not say what it is.
    private func plain(_ tree: AnnotationTree) throws(CObstacle) -> ArgumentPlan.Mode {
        switch scope.plainPointer(to: pointee, isInput: true) {
        case .text: return .text
        case .handle(let kind): return .handle(kind)
        case .value(let record): return .value(.record(try scope.recordForm(record, tree)), .in)
        case .function, .unknown: throw CObstacle("\(type) needs an annotation")
        }
    }
}

extension CType {
    /// Why one value of the type is not what a pointer to it leads to; nil if it may be.
    ///
    /// `double m[4][4]` is `double (*)[4]` to C: how many rows C reads or writes, only an annotation can say.
    var obstacleToOneRow: CObstacle? {
        guard case .array = kind else { return nil }
        return CObstacle("\(CType.pointer(to: self)) leads to rows: expected \"items[count]\", or \"items[1]\" for one")
    }
}
