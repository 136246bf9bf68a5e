/// The function that libFuzzer calls with each input. scripts/fuzz compiles it with the sources of Routing into one
/// module.
///
/// The first byte of an input selects the options; the lines after it are patterns, and the last one is a URL.
@c(LLVMFuzzerTestOneInput)
public func fuzzRoutes(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    guard let mode = bytes.first else { return 0 }
    let lines = bytes.dropFirst().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    let options = options(Int(mode))
    let patterns = lines.dropLast().prefix(12).compactMap { try? RoutePattern($0, syntax: options.syntax) }
    for pattern in patterns { checkMadeURL(pattern) }
    checkTable(patterns, options, lines.last ?? "")
    return 0
}

private func options(_ mode: Int) -> RoutingOptions {
    let sets: [RoutingOptions] = [
        RoutingOptions(), .mgjRouter, .jlRoutes, .urlNavigator, .hhRouter, .ctMediator, .crossroad,
    ]
    var options = sets[mode % sets.count]
    options.refusesOtherSources = false
    options.sources = mode & 128 != 0 ? [URLSource("a://"), URLSource("a://b")].compactMap(\.self) : []
    options.converters["even"] = { text in Int64(text).flatMap { $0 % 2 == 0 ? .integer($0) : nil } }
    return options
}

/// The URL that a pattern makes from values gives these values back.
private func checkMadeURL(_ pattern: RoutePattern) {
    // Values have names.
    guard pattern.placeholders.count(where: \.name.isEmpty) < 2 else { return }
    var values: [String: RouteValue] = [:]
    for placeholder in pattern.placeholders {
        values[placeholder.name] =
            switch placeholder.type {
            case nil where placeholder.isRest: .list(["a/b", "%41+", ".."])
            case .int?: .integer(-7)
            case .uint?: .unsigned(7)
            case .float?: .float(1.5e300)
            case .bool?: .boolean(true)
            case .uuid?: .text("621425B8-42D1-4AB4-9A58-1E69D708A84B")
            case .path?: .text("a/%62/c?")
            case .custom?: .integer(8)
            default: .text("a/b?c=d#e&%41+é:@\u{0}🚀")
            }
    }
    guard let url = try? pattern.url(values) else { fatalError("\(pattern) makes no URL") }
    var options = options(0)
    options.lengthLimit = .max
    var table = RouteTable<Int>(options: options)
    guard (try? table.add(pattern, 0)) != nil else {
        // A type that the options do not have.
        return
    }
    guard let match = table.match(url) else { fatalError("\(pattern) does not match its URL \(url)") }
    guard pattern.variants.count == 1 else { return }
    for (name, value) in match.pathValues where !name.isEmpty {
        check(value == values[name], "\(pattern): \(name) is \(value) in \(url)")
    }
}

/// All ways to ask a table agree with each other, and removing routes leaves nothing behind.
private func checkTable(_ patterns: [RoutePattern], _ options: RoutingOptions, _ url: String) {
    var table = RouteTable<Int>(options: options)
    var identities: [RouteIdentity] = []
    var hasConflicts = false
    for (number, pattern) in patterns.enumerated() {
        do {
            identities.append(try table.add(pattern, priority: number % 5 == 4 ? 1 : 0, number))
        } catch {
            hasConflicts = true
        }
    }
    let best = table.match(url)
    let matches = table.matches(url)
    check(table.canOpen(url) == (best != nil), "canOpen and match")
    check(matches.first?.identity == best?.identity, "matches and match")
    check(Set(matches.map(\.identity)).count == matches.count, "a route is listed twice")
    for match in matches {
        _ = try? match.parameters(["a": .integer(1)], names: ["B"])
        _ = match.rest
    }
    let explanation = table.explain(url)
    check(explanation.chosen?.route.identity == best?.identity, "explain and match")
    check(!explanation.description.isEmpty || table.count == 0, "an explanation without text")
    _ = table.nearest(to: url)
    _ = try? TargetActionURL(url)

    if !hasConflicts, options.duplicates == .refused {
        var reversed = RouteTable<Int>(options: options)
        for (number, pattern) in patterns.enumerated().reversed() {
            _ = try? reversed.add(pattern, priority: number % 5 == 4 ? 1 : 0, number)
        }
        check(reversed.match(url)?.value == best?.value, "the order of adding matters")
    }
    if let best {
        check(table.remove(best.identity) == best.value && table.remove(best.identity) == nil, "removed once")
        check(table.match(url)?.identity != best.identity, "a removed route matches")
    }
    for identity in identities { _ = table.remove(identity) }
    check(table.count == 0 && !table.canOpen(url), "routes remain")
}

/// A precondition whose message is printed in optimised builds too.
private func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
