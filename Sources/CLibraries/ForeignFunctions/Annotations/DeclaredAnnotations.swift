import CDeclarations
import ComponentKit
import SystemSupport

/// The annotations of a function or a variable in a description.
struct DeclaredAnnotations: Sendable {
    /// The function or the variable.
    let name: String
    /// The annotations that can be read.
    private(set) var tree = AnnotationTree.empty
    /// The annotations of the tree, each with its key, in the order of the description.
    private(set) var all: [(key: String, annotation: Annotation)] = []
    /// The errors in the others, in the same order.
    private(set) var errors: [PayloadError] = []

    /// - Parameter section: The annotations under their keys.
    init(of name: String, _ section: Payload) {
        self.name = name
        do throws(PayloadError) {
            for (key, value) in try section.entries() {
                do throws(PayloadError) {
                    let annotation = try Annotation(try value.string())
                    try tree.insert(annotation, under: key)
                    all.append((key, annotation))
                } catch {
                    errors.append(error.within(.key(key)))
                }
            }
        } catch {
            errors.append(error)
        }
    }

    /// Leaves out an annotation.
    mutating func remove(_ key: String) {
        tree.remove(under: key)
        all.removeAll { $0.key.isExactly(key) }
    }

    /// Returns the key of the annotation that is at fault for an obstacle; nil if none is.
    func key(atFaultFor obstacle: CObstacle) -> String? {
        let keys = all.lazy.map(\.key)
        let path = obstacle.path.joined(separator: ".")
        if let missing = obstacle.missing {
            let name = path.isEmpty ? missing : "\(path).\(missing)"
            return keys.first { $0.isExactly(name) || $0.hasExactPrefix("\(name).") }
        }
        return keys.filter { path.isExactly($0) || path.hasExactPrefix("\($0).") }.max { $0.utf8.count < $1.utf8.count }
    }
}

extension CObstacle {
    /// Returns the reason without the names that the key of the annotation at fault has already.
    func reason(behind key: String) -> String {
        let names = path.joined(separator: ".")
        guard missing == nil, names.hasExactPrefix("\(key).") else { return clause }
        return (names.without(exactPrefix: "\(key).").exactParts(between: ".") + [clause]).joined(separator: ": ")
    }
}
