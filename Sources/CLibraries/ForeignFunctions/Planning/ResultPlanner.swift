import CDeclarations

/// Plans how a function's result is converted.
struct ResultPlanner {
    let scope: PlanningScope
    let binder: FormulaBinder
    let type: CType
    let tree: AnnotationTree
    let names: [String]

    func plan() throws(CObstacle) -> ResultPlan {
        try CObstacle.within("return") { () throws(CObstacle) in try planTarget() }
    }

    /// Plans how what a pointer leads to is converted, whether the function returns the pointer or leaves it somewhere.
    func planTarget() throws(CObstacle) -> ResultPlan {
        let annotation = tree.own ?? Annotation()
        let plan = try plan(annotation)
        try plan.form?.checkHasNoRooms()
        switch plan {
        case .items(.handle, _, _), .endedItems(.handle, _):
            throw CObstacle("handles in an array cannot come out, because nothing says who releases them")
        default: break
        }
        // Other results have no memory to free, or are handles, which their kind releases.
        if annotation.release != nil {
            switch plan {
            case .text, .measuredText, .value, .bytes, .items, .endedItems: break
            default:
                throw CObstacle(
                    "\"free\" is for text, bytes, items and values; a handle is released through \"handles\"")
            }
        }
        return plan
    }

    private func plan(_ annotation: Annotation) throws(CObstacle) -> ResultPlan {
        guard annotation.direction == nil, annotation.fallback == nil else {
            throw CObstacle("\"in\", \"out\" and \"else\" are not allowed for results")
        }
        if case .ignored? = annotation.shape { return .ignored }
        guard let pointee = type.pointee else {
            guard annotation.shape == nil else { throw CObstacle("\(type) is not a pointer") }
            if case .void = type.kind { return .none }
            return .plain(try scope.form(of: type, tree))
        }
        let planner = PointerPlanner(scope: scope, binder: binder, type: type, pointee: pointee)
        switch annotation.shape {
        case .bytes(let room):
            _ = try planner.buffer(annotation, room, tree: tree)
            return .bytes(try binder.bind(room.size), release: annotation.release)
        case .string(let room?):
            _ = try planner.buffer(annotation, room, tree: tree)
            return .measuredText(try binder.bind(room.size), release: annotation.release)
        case .items(let room) where room.endsWithNull:
            guard case .endedItems(let form) = try planner.buffer(annotation, room, tree: tree).content else { break }
            return .endedItems(form, release: annotation.release)
        case .items(let room):
            return .items(
                try scope.itemForm(of: pointee, tree), try binder.bind(room.size), release: annotation.release)
        case .handle(let name): return try handle(scope.handleKind(name, pointee), annotation)
        case .string(nil):
            switch pointee.kind {
            case .void: break
            case _ where pointee.isByteSized: break
            default: throw CObstacle("\"string\" needs a pointer to char, not \(type)")
            }
            return .text(release: annotation.release)
        case .object:
            guard case .void = pointee.kind else { throw CObstacle("\"object\" needs a void *, not \(type)") }
            return .object
        case .value: return .value(try scope.form(of: pointee, tree), release: annotation.release)
        case nil: break
        default: throw CObstacle("this annotation is not allowed for results")
        }
        switch scope.plainPointer(to: pointee, isInput: false) {
        case .text: return .text(release: annotation.release)
        case .handle(let kind): return try handle(kind, annotation)
        case .value where !pointee.isConst, .text where !pointee.isConst && annotation.release == nil:
            throw CObstacle("\(type) needs an annotation")
        case .value(let record):
            return .value(.record(try scope.recordForm(record, tree)), release: annotation.release)
        case .function, .unknown: throw CObstacle("\(type) needs an annotation, such as \"ignored\"")
        }
    }

    private func handle(_ kind: HandleKind, _ annotation: Annotation) throws(CObstacle) -> ResultPlan {
        switch annotation.bond {
        case nil: return .handle(kind, keeps: nil, partOf: nil)
        case .keeps(let name): return .handle(kind, keeps: try index(name), partOf: nil)
        case .partOf(let name): return .handle(kind, keeps: nil, partOf: try index(name))
        case .keptBy, .copied: throw CObstacle("\"kept\" and \"copied\" are for parameters")
        }
    }

    private func index(_ name: String) throws(CObstacle) -> Int {
        guard let index = names.firstIndex(of: name) else {
            throw CObstacle("there is no handle \"\(name)\"\(name.meant(among: names))")
        }
        return index
    }
}
