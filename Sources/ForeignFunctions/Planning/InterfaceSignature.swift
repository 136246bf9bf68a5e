/// The types of a function, for calls of a variadic one.
struct InterfaceSignature: Sendable {
    let result: InterfaceType
    let arguments: [InterfaceType]
}
