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

/// A method that is called by name and by URL.
@LinkClass
final class BenchRouted {
    init(_ context: ComponentContext) {}

    @Selector(.quick) @Route("bench://sum") func sum(first: Int, second: Int, third: Int) -> Int {
        first + second + third
    }
}
