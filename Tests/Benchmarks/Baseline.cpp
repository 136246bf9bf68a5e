// The baseline of the benchmark: calls by name in a program without HSLink. It has a table of classes, selectors and
// functions, and a map of variants as the argument. It has no checks, one thread, one process and one compiler, and
// loads nothing. A call through HSLink should still cost no more than this.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace {

struct Value;
using List = std::vector<Value>;
using Map = std::map<std::string, Value>;

struct Value : std::variant<std::monostate, bool, int64_t, double, std::string, List, Map> {
    using variant::variant;
};

using Method = std::function<Value(const Map &)>;

// The result of a call: the same three values as in HSLink's callback.
struct Answer {
    Value value;
    bool performed = false;
    bool class_is_loaded = false;
};

class Bus {
public:
    void add(const std::string &class_name, const std::string &selector, Method method) {
        classes[class_name][selector] = std::move(method);
    }

    const Method *find(const std::string &class_name, const std::string &selector) const {
        auto found = classes.find(class_name);
        if (found == classes.end()) return nullptr;
        auto method = found->second.find(selector);
        return method == found->second.end() ? nullptr : &method->second;
    }

    Answer call(const std::string &class_name, const std::string &selector, const Map &arguments) const {
        auto found = classes.find(class_name);
        if (found == classes.end()) return {};
        auto method = found->second.find(selector);
        if (method == found->second.end()) return {Value(), false, true};
        return {method->second(arguments), true, true};
    }

private:
    std::unordered_map<std::string, std::unordered_map<std::string, Method>> classes;
};

// The same as the method "mixed" of BenchLink.
struct Mixed {
    int64_t calls = 0;

    Value operator()(const Map &arguments) {
        calls++;
        const std::string &name = std::get<std::string>(arguments.at("name"));
        int64_t limit = std::get<int64_t>(arguments.at("limit"));
        bool active = std::get<bool>(arguments.at("active"));
        return static_cast<int64_t>(name.size()) + limit + (active ? 1 : 0);
    }
};

Bus make_bus() {
    Bus bus;
    // As many other methods as BenchLink has, so that the tables have the same size.
    for (auto name : {"sum", "length", "echo", "fail", "asyncSum", "later", "makeCounter", "apply"}) {
        bus.add("BenchLink", name, [](const Map &) { return Value(); });
    }
    bus.add("BenchPerCall", "sum", [](const Map &) { return Value(); });
    bus.add("BenchByHand", "area", [](const Map &) { return Value(); });
    bus.add("BenchLink", "mixed", Mixed());
    return bus;
}

// Not constant, so that the compiler cannot optimise the table away.
Bus bus = make_bus();

Map prepared() { return {{"name", "Ada"}, {"limit", int64_t(10)}, {"active", true}}; }

int64_t integer(const Value &value) { return std::get<int64_t>(value); }

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

// Each makes `count` calls and returns a sum, so that the compiler cannot remove the calls.

EXPORT int64_t baseline_bound(int64_t count) {
    const Method *method = bus.find("BenchLink", "mixed");
    const Map arguments = prepared();
    int64_t sum = 0;
    for (int64_t index = 0; index < count; index++) sum += integer((*method)(arguments));
    return sum;
}

EXPORT int64_t baseline_named(int64_t count) {
    const Map arguments = prepared();
    int64_t sum = 0;
    for (int64_t index = 0; index < count; index++) {
        sum += integer(bus.call("BenchLink", "mixed", arguments).value);
    }
    return sum;
}

EXPORT int64_t baseline_built(int64_t count) {
    int64_t sum = 0;
    for (int64_t index = 0; index < count; index++) {
        sum += integer(
            bus.call("BenchLink", "mixed", {{"name", "Ada"}, {"limit", index}, {"active", true}}).value);
    }
    return sum;
}

EXPORT int64_t baseline_missing_class(int64_t count) {
    const Map arguments = prepared();
    int64_t sum = 0;
    for (int64_t index = 0; index < count; index++) {
        sum += bus.call("MissingLink", "mixed", arguments).class_is_loaded ? 1 : 0;
    }
    return sum;
}

EXPORT int64_t baseline_missing_selector(int64_t count) {
    const Map arguments = prepared();
    int64_t sum = 0;
    for (int64_t index = 0; index < count; index++) {
        sum += bus.call("BenchLink", "missing", arguments).performed ? 1 : 0;
    }
    return sum;
}
