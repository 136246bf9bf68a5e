/// What was read between the braces of a struct or union.
struct RecordBody {
    var fields: [PendingField] = []
    /// Of fields, those of members without a name too.
    var names: Set<String> = []
    /// Why it has no layout: a bit-field, or an error.
    var obstacle: CObstacle?
    var hasFlexibleArray = false
}
