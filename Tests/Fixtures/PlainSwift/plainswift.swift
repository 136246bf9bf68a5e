/// Adds two numbers; does not use HSLink.
@c(plain_swift_add)
public func add(_ left: Int64, _ right: Int64) -> Int64 { left + right }

/// Multiplies a number by a shorter one.
@c(plain_swift_scale)
public func scale(_ value: Double, _ factor: Float) -> Double { value * Double(factor) }
