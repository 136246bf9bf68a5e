import ComponentKit

extension Manifest {
    /// The declarations in a description that cannot be used, each with the reason.
    package var refusedDeclarations: [String] {
        ((try? extra["refused"]?.items()) ?? []).map { item in
            "\((try? item.string("name")) ?? ""): \((try? item.string("reason")) ?? "")"
        }
    }

    /// Returns whether a description declares a function with this selector that cannot be called. The error of a call
    /// has the reason, so no other name needs to be suggested.
    package func refuses(_ selector: String) -> Bool {
        ((try? extra["refused"]?.items()) ?? []).contains { item in
            ["selector", "name"].contains { (try? item.string($0))?.isExactly(selector) ?? false }
        }
    }

    /// A one-line summary of ``refusedDeclarations``; nil when all can be used.
    package var refusedSummary: String? {
        let refused = refusedDeclarations
        switch refused.count {
        case 0: return nil
        case 1: return "one declaration cannot be used: \(refused[0])"
        default: return "\(refused.count) declarations cannot be used; 'hslink inspect' lists the reasons"
        }
    }
}
