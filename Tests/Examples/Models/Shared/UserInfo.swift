/// A person who is signed in. The modules keep copies of this type.
struct UserInfo {
    var userName: String
    var age: Int
    var address: Address?
}

struct Address {
    var street: String
}
