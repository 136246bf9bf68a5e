import BenchContract
import ComponentKit

@LinkClass("BenchTyped", provides: (any BenchService).self)
final class BenchTyped: BenchService {
    func area(width: Double, height: Double) throws -> Area { Area(width: width, height: height) }

    func areaSoon(width: Double, height: Double) async throws -> Area { Area(width: width, height: height) }

    func areaLater(width: Double, height: Double) async throws -> Area {
        await Task.yield()
        return Area(width: width, height: height)
    }
}
