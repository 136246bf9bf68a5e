/* CxxGood: works; a component in C++17 that turns its exceptions into errors. */
#include "hslink.h"

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

HSLINK_MANIFEST("{\"name\": \"CxxGood\", \"version\": \"1.0.0\", \"layer\": \"business\", \"classes\": [{"
                "\"name\": \"CxxGoodLink\", \"selectors\": ["
                "{\"name\": \"echo\", \"kind\": \"class\"}, {\"name\": \"divide\", \"kind\": \"class\"}, "
                "{\"name\": \"raise\", \"kind\": \"class\"}, {\"name\": \"append\", \"kind\": \"object\"}]}]}")

namespace {

/* The exception for a payload that does not fit. */
struct payload_error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

std::int64_t integer(const hslink_value *payload, const char *key) {
    const hslink_value *value = hslink_map_get(payload, key);
    if (value == nullptr || value->tag != HSLINK_INT) throw payload_error(std::string(key) + ": expected an integer");
    return value->as.i64;
}

int32_t echo(hslink_object *, const hslink_value *payload, const hslink_call *call) {
    return hslink_return(call, *payload);
}

int32_t divide(hslink_object *, const hslink_value *payload, const hslink_call *call) {
    const auto dividend = integer(payload, "dividend");
    const auto divisor = integer(payload, "divisor");
    if (divisor == 0) throw std::domain_error("division by zero");
    if (dividend == INT64_MIN && divisor == -1) throw std::overflow_error("the quotient does not fit into 64 bits");
    return hslink_return(call, hslink_int(dividend / divisor));
}

/* Throws something that is not a std::exception. */
int32_t raise(hslink_object *, const hslink_value *, const hslink_call *) { throw 7; }

/* The instance that all object calls of one component value share: a text that grows. */
struct text : hslink_object {
    std::atomic<long> references{1};
    std::mutex lock;
    std::string content;
    text();
};

int32_t append(hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    if (payload->tag != HSLINK_STRING) throw payload_error("expected a string");
    auto &target = *static_cast<text *>(self);
    std::string copy;
    {
        const std::lock_guard<std::mutex> guard(target.lock);
        if (payload->length != 0) target.content.append(payload->as.utf8, payload->length);
        copy = target.content;
    }
    return hslink_return(call, hslink_utf8(copy.data(), static_cast<std::uint32_t>(copy.size())));
}

using method = int32_t (*)(hslink_object *, const hslink_value *, const hslink_call *);

/* The boundary: no exception of `body` leaves it. */
template <method body>
int32_t caught(void *, hslink_object *self, const hslink_value *payload, const hslink_call *call) noexcept {
    try {
        return body(self, payload, call);
    } catch (const payload_error &error) {
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, error.what());
    } catch (const std::exception &error) {
        return hslink_fail(call, HSLINK_ERROR_FAILED, error.what());
    } catch (...) {
        return hslink_fail(call, HSLINK_ERROR_FAILED, "an exception of an unknown type was thrown");
    }
}

void retain(hslink_object *self) { static_cast<text *>(self)->references.fetch_add(1); }

void release(hslink_object *self) {
    auto *target = static_cast<text *>(self);
    if (target->references.fetch_sub(1) == 1) delete target;
}

/* Instances stay in this component: no method returns one, so no caller can use it as an object. */
int32_t invoke(hslink_object *, hslink_string, const hslink_value *, const hslink_call *call) {
    return hslink_fail(call, HSLINK_ERROR_SELECTOR_NOT_FOUND, "the object has no such selector");
}

const hslink_object_type text_type = HSLINK_OBJECT_TYPE("CxxGoodLink", retain, release, invoke, nullptr);

text::text() : hslink_object{&text_type} {}

int32_t make(void *, void *, hslink_object **instance, const hslink_failure *failure) noexcept {
    try {
        *instance = std::make_unique<text>().release();
        return 0;
    } catch (const std::exception &error) {
        const hslink_error reason = hslink_error_make(HSLINK_ERROR_FAILED, error.what());
        failure->report(failure->context, &reason);
        return 1;
    }
}

const hslink_method methods[] = {
    {HSLINK_LITERAL("echo"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, caught<echo>, nullptr},
    {HSLINK_LITERAL("divide"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, caught<divide>, nullptr},
    {HSLINK_LITERAL("raise"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, caught<raise>, nullptr},
    {HSLINK_LITERAL("append"), HSLINK_OBJECT_METHOD, HSLINK_METHOD_QUICK, caught<append>, nullptr},
};
const hslink_class link_class = HSLINK_CLASS("CxxGoodLink", methods, make, nullptr);
const hslink_class *const classes[] = {&link_class};
const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("CxxGood", "1.0.0", classes, nullptr, nullptr);

}  // namespace

HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
