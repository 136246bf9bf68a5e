import ComponentHost
import ComponentKit

/// Shows how a host program handles a component that may be missing.
func luggage(_ host: LinkHost, city: String) async -> [String] {
    do {
        let answer = try await host.call("TravelLink", "luggage", ["city": .string(city)], timeout: .seconds(2))
        return try answer.value(as: [String].self)
    } catch let error as LinkError {
        switch error.code {
        case .classNotFound, .notLoaded: print("no luggage service: \(error)")
        case .deadlineExceeded, .cancelled: print("it took too long: \(error)")
        case .methodFailed: print("\(error.domain) \(error.number): \(error.message)")
        default: print(error)
        }
    } catch {
        print("the answer was not a list of strings: \(error)")
    }
    return []
}
