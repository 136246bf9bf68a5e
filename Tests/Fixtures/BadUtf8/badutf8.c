/* BadUtf8: replies with strings that are not UTF-8. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"BadUtf8\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"BadUtf8Link\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"overlong\", \"kind\": \"class\"}, "
                "{\"name\": \"surrogate\", \"kind\": \"class\"}, "
                "{\"name\": \"truncated\", \"kind\": \"class\"}, "
                "{\"name\": \"beyond\", \"kind\": \"class\"}]}]}")

static char invalid[] = "\xFF\xFE";               /* bytes that occur in no UTF-8 */
static char overlong[] = "\xC0\xAF";              /* '/' in two bytes */
static char surrogate[] = "\xED\xA0\x80";         /* U+D800 */
static char truncated[] = "a\xE2\x82";            /* the first two bytes of three */
static char beyond[] = "\xF4\x90\x80\x80";        /* U+110000 */

static int32_t bad_text(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)self; (void)payload;
    return hslink_return(call, hslink_text(context));
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, bad_text, invalid},
    {HSLINK_LITERAL("overlong"), HSLINK_CLASS_METHOD, 0, bad_text, overlong},
    {HSLINK_LITERAL("surrogate"), HSLINK_CLASS_METHOD, 0, bad_text, surrogate},
    {HSLINK_LITERAL("truncated"), HSLINK_CLASS_METHOD, 0, bad_text, truncated},
    {HSLINK_LITERAL("beyond"), HSLINK_CLASS_METHOD, 0, bad_text, beyond},
};
static const hslink_class link_class = HSLINK_CLASS("BadUtf8Link", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("BadUtf8", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
