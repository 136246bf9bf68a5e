/// The module's copy of UserInfo.
struct Video_UserInfo {
    var userName: String
    var age: Int32
    var address: Video_Address?
}

struct Video_Address {
    var street: String
    var city = ""
}
