import EMAccountContract

/// An account as it is stored.
struct Account: Sendable {
    let user: User
    let password: PasswordHash
}
