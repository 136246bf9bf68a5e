// hslink-models: copy of UserInfo
// hslink-models: without age: the shop must not know it
struct Customer {
    var userName: String
    var address: Shop_Address?
    // hslink-models: differs: only customers have a discount
    var discount = 0.0
}

struct Shop_Address {
    var street: String
}
