import TestSupport
import Testing

@testable import ModelDrift

@Suite("Objective-C headers")
struct HeaderTests {
    @Test(
        "a declaration has the name and the type that Swift gives it",
        arguments: [
            ("@property NSString *a;", ["a: NSString"]), ("@property(nonatomic,copy)NSString*a;", ["a: NSString"]),
            ("@property (nullable, copy) NSString *a;", ["a: NSString?"]),
            ("@property NSString * _Nullable a;", ["a: NSString?"]),
            ("@property NSString *_Null_unspecified a;", ["a: NSString!"]),
            ("@property (null_resettable) UIColor *a;", ["a: UIColor"]),
            ("@property (getter=isOn) BOOL on;", ["on: Bool"]), ("@property (class) int a;", []),
            ("@property int a, b;", ["a: Int32", "b: Int32"]),
            ("@property NSDate *a, *b;", ["a: NSDate", "b: NSDate"]),
            ("@property unsigned long long int a;", ["a: UInt64"]), ("@property long unsigned a;", ["a: UInt"]),
            ("@property signed char a;", ["a: Int8"]), ("@property unsigned a;", ["a: UInt32"]),
            ("@property uint8_t a;", ["a: UInt8"]), ("@property NSTimeInterval a;", ["a: Double"]),
            ("@property NSArray<NSDictionary<NSString *, id> *> *a;", ["a: NSArray<NSDictionary<NSString, id>>"]),
            ("@property (weak, nullable) id<A_Delegate> a;", ["a: A_Delegate?"]), ("@property id a;", ["a: id"]),
            ("@property (nullable) Class a;", ["a: Class?"]), ("@property A_State a;", ["a: A_State"]),
            ("@property enum A_State a;", ["a: A_State"]), ("@property A_STATE a;", ["a: A_STATE"]),
            ("@property void (^a)(BOOL b);", ["a: void ( ^ ) ( BOOL b )"]),
            ("@property (nullable) void (^a)(void);", ["a: void ( ^ ) ( void )?"]),
            ("@property int (*a)(int);", ["a: int ( * ) ( int )"]), ("@property char *a;", ["a: char *"]),
            ("@property IBOutlet UIView *a;", ["a: UIView"]), ("@property MY_MACRO NSDate *a;", ["a: NSDate"]),
            ("@property IBOutletCollection(UIView) NSArray *a;", ["a: NSArray"]),
            ("@property NSInteger a API_AVAILABLE(ios(9), macos(1.0));", ["a: Int"]),
            ("@property NSInteger a MY_MACRO;", ["a: Int"]),
            ("@property (readonly) __kindof UIView *a;", ["a: UIView"]),
            ("@property NSString *a __attribute__((deprecated(\"a;\")));", ["a: NSString"]),
            ("@property NSString /* b */ *a; // c\n/* @property int d; */", ["a: NSString"]),
            ("@property\n    int\\\n a\n;", ["a: Int32"]),
            ("#if A\n@property int a;\n#else\n@property long a;\n#endif", ["a: Int32"]),
            ("#if 0\n@property int b;\n#if 1\n#endif\n#else\n@property int a;\n#endif", ["a: Int32"]),
            ("#define P @property int b; \\\n @property int c;\n@property int a;", ["a: Int32"]),
            ("- (void)b:(int)c d:(void (^)(int))e; @property int a; + (int)f { return 1; }", ["a: Int32"]),
            ("@optional\n@property int a;\n@required", ["a: Int32"]), ("- (int)b\n@property int a;", ["a: Int32"]),
            ("#define P \"/*\"\n@property int a;", ["a: Int32"]),
            ("#define P \"b://c\" \\\n @property int b;\n@property int a;", ["a: Int32"]),
            ("#define P '\"' /* \"\n */ @property int b;\n@property int a;", ["a: Int32"]),
            ("#define P\r@property int a;\r", ["a: Int32"]),
            ("#define P \\\r @property int b;\r@property int a;", ["a: Int32"]),
            ("#define P \\\r\n @property int b;\r\n@property int a;", ["a: Int32"]),
            ("#define P \"b\r@property int a;", ["a: Int32"]),
            ("#define P \"b\\\r\n/*\"\r\n@property int a;", ["a: Int32"]),
            ("@property (weak) NSObject *a;", ["a: NSObject?"]),
            ("@property (weak) NSObject *_Null_unspecified a;", ["a: NSObject!"]),
            ("@property (null_unspecified, weak) NSObject *a;", ["a: NSObject!"]),
            ("@property SInt8 a; @property SInt16 b; @property SInt64 c;", ["a: Int8", "b: Int16", "c: Int64"]),
            ("@property", []), ("@property int", []), ("@property ( int a;", []), (";;}{", []),
        ])
    func declarations(text: String, members: [String]) {
        let header = "NS_ASSUME_NONNULL_BEGIN\n@interface A_User : NSObject\n\(text)\n@end\nNS_ASSUME_NONNULL_END\n"
        let contents = readHeader(Array(header.utf8))
        #expect(contents.models.map(\.name) == ["A_User"])
        #expect(contents.models.first?.members.map { "\($0.name): \($0.type.shape)" } == members)
    }

    @Test(
        "a declaration of a class is found in all its forms",
        arguments: [
            ("@interface A @end", ["a class A [] -"]), ("@interface A : NSObject @end", ["a class A [] -"]),
            ("@interface A<T : id> : B<T> <P, Q> @end", ["a class A [\"B\"] -"]),
            ("__attribute__((x)) @interface A:B\n@end", ["a class A [\"B\"] -"]),
            ("NS_SWIFT_NAME(C) @interface A : B <P>\n@end", ["a class A [\"B\"] -"]),
            ("@class A;@protocol P, Q;@interface A @end", ["a class A [] -"]),
            ("@protocol P <Q> @property int a; @end @interface A @end", ["a class A [] -"]),
            (
                "@interface A { @public int b; @protected NSString *_c; } @property int *_d, c; @end",
                [
                    "a class A [] -", "b - Int32 = ? - ", "c - Int32 = ? - ", "_d - int *! = ? - ",
                ]
            ),
            (
                "@interface A @property int a; @end @interface A (B) @property int b; @end @interface A () @property int c; @end",
                ["a class A [] -", "a - Int32 = ? - ", "c - Int32 = ? - "]
            ),
            (
                "@interface A { @private int a; @public struct { int b; union { int c; } d; } e; int f[2], *g; } @end",
                [
                    "a class A [] -", "e - struct { int b ; union { int c ; } d ; } = ? - ", "f - int[2] = ? - ",
                    "g - int *! = ? - ",
                ]
            ),
            ("@interface A", ["a class A [] -", "the @interface of A has no @end"]),
            (
                "@interface A @interface B @end",
                ["a class A [] -", "a class B [] -", "the @interface of A has no @end"]
            ),
            (
                "#if C\n@interface A : B\n#else\n@interface A : C { int b; }\n#endif\n@property int a; @end",
                ["a class A [\"B\"] -", "b - Int32 = ? - ", "a - Int32 = ? - "]
            ),
            ("@interface A @interface A (B) @end", ["a class A [] -", "the @interface of A has no @end"]),
            ("typedef enum S S; @interface A { int b; } @end", ["a class A [] -", "b - Int32 = ? - "]),
            (
                "typedef enum A { B @protocol P @end @interface C @end",
                ["an enum A [] UInt32", "B b () = 0 - ", "a class C [] -"]
            ),
            ("\"@interface A\" '@' // @interface B\n#define C @interface C", []), ("@interface", []),
        ])
    func classes(text: String, outline: [String]) {
        #expect(readHeader(Array(text.utf8)).outline == outline)
    }

    @Test(
        "the cases of an enumeration have the names and values of Swift",
        arguments: [
            (
                "typedef NS_ENUM(NSInteger, A_State) { A_StateOff, A_StateOn = 5, A_StateGone };", "Int",
                ["off=0", "on=5", "gone=6"]
            ),
            (
                "typedef NS_OPTIONS(NSUInteger, State) { StateA = 1 << 0, StateB = 1UL << 1, StateC = StateA | StateB };",
                "UInt", ["a=1", "b=2", "c=3"]
            ),
            ("typedef enum : uint8_t { kStateURLOnly = 0x10, kStateURL } State;", "UInt8", ["urlOnly=16", "url=17"]),
            (
                "typedef enum A_State { StateA = (-1), StateB, StateC = f(1, 2), StateD } A_State;", "UInt32",
                ["a=-1", "b=0", "c=?", "d=?"]
            ),
            (
                "typedef NS_ENUM(NSInteger, A_State) { A_StateA NS_SWIFT_NAME(b) = 1, A_StateB API_AVAILABLE(ios(9)), };",
                "Int", ["a=1", "b=2"]
            ),
            ("typedef enum A_State A_State; typedef NS_ENUM(int, S) { SA };", "Int32", ["a=0"]),
            ("typedef NS_CLOSED_ENUM(int, S) { S_A, }", "Int32", ["a=0"]), ("typedef NS_ENUM(int, S) {", nil, []),
        ] as [(String, String?, [String])])
    func enumerations(text: String, rawType: String?, cases: [String]) {
        let model = readHeader(Array(text.utf8)).models.first
        #expect(model?.rawType.map { "\($0)" } == rawType)
        let found = model?.members.map { member in
            if case .tokens(let tokens, _) = member.value {
                "\(member.alias ?? "-")=\(tokens.joined())"
            } else {
                "\(member.alias ?? "-")=?"
            }
        }
        #expect(found ?? [] == cases)
    }

    @Test(
        "a property is the same in Swift",
        arguments: [
            ("NSString *a", "String"), ("NSString *a", "String?"), ("NSString *a", "String!"), ("NSInteger a", "Int"),
            ("int a", "Int32"), ("BOOL a", "Bool"), ("CGFloat a", "CGFloat"), ("NSArray<NSString *> *a", "[String]"),
            ("NSArray *a", "[Any]?"), ("NSDictionary<NSString *, NSNumber *> *a", "[String: NSNumber]"),
            ("NSSet<A_User *> *a", "Set<B_User>"), ("NSDate *a", "Date"), ("id a", "Any"), ("A_User *a", "B_User?"),
            ("NSTimeInterval a", "TimeInterval"), ("id<A_P> a", "any A_P"), ("void (^a)(int)", "(Int32) -> Void"),
            ("A_Name a", "String"), ("A_Name a", "String?"), ("nullable A_Name a", "String?"),
            ("NSArray<A_Name> *a", "[String]"), ("NSString *a", "NSString"), ("A_State a", "B_State"),
        ])
    func swiftTypes(declaration: String, type: String) throws {
        let found = try check([
            "A.h": """
            typedef NSString *A_Name;
            typedef NS_ENUM(NSInteger, A_State) { A_StateOff, A_StateOn };
            @interface A_User : NSObject
            @property \(declaration);
            @end
            """,
            "B.swift": "class B_User { var a: \(type) }\nenum B_State: Int { case off, on }",
        ])
        #expect(found == [])
    }

    @Test(
        "a property that is not the same in Swift is reported with both spellings",
        arguments: [
            ("NSString *a", "Int", "Int, but NSString *"), ("NSInteger a", "Int32", "Int32, but NSInteger"),
            ("nonnull NSString *a", "String?", "String?, but NSString *"), ("int a", "Int", "Int, but int"),
            ("nullable NSString *a", "String", "String, but nullable NSString *"),
            ("NSArray<NSString *> *a", "[Int]", "[Int], but NSArray<NSString *> *"),
            ("unsigned long  long a", "Int", "Int, but unsigned long long"),
        ])
    func otherSwiftTypes(declaration: String, type: String, message: String) throws {
        let found = try check([
            "A.h": "@interface User\n@property \(declaration);\n@end", "B.swift": "class B_User { var a: \(type) }",
        ])
        #expect(found == ["B.swift:1:20: B_User.a is \(message) in User (A.h:2)"])
    }

    @Test(
        "a name for a pointer type is nonnull where it is used in a nonnull region, wherever it was declared",
        arguments: [
            ("A_Name a", "String", true), ("A_Name a", "String?", false), ("nullable A_Name a", "String?", true),
            ("nullable A_Name a", "String", false), ("A_Other a", "String", true), ("A_Other a", "String?", false),
            ("A_Maybe a", "String?", true), ("A_Maybe a", "String", false),
        ])
    func pointerNames(declaration: String, type: String, isSame: Bool) throws {
        let found = try check([
            "A.h": """
            typedef NSString *A_Other;
            NS_ASSUME_NONNULL_BEGIN
            typedef NSString *A_Name;
            typedef NSString *_Nullable A_Maybe;
            @interface User : NSObject
            @property \(declaration);
            @end
            NS_ASSUME_NONNULL_END
            """,
            "B.swift": "class B_User { var a: \(type) }",
        ])
        #expect(found.isEmpty == isSame, "\(found)")
    }

    @Test("blocks whose types name pointers are the same if the names stand for the same pointer")
    func pointerNamesInBlocks() throws {
        let files = ["A", "B"].map { module in
            """
            typedef NSString *\(module)_Name;
            @interface \(module)_User : NSObject
            @property (copy) void (^done)(\(module)_Name);
            @end
            """
        }
        #expect(try check(["A.h": files[0], "B.h": files[1]]) == [])
    }

    @Test(
        "an enumeration of Objective-C has raw values; one without them in Swift is reported once",
        arguments: [
            (
                "enum B_State { case off, on }",
                ["1:6: B_State has no raw values, but raw values of Int in State (A.h:1)"]
            ),
            ("// hslink-models: differs\nenum B_State { case off, on }", []),
            ("enum B_State: Int { case off, on }", []),
            (
                "enum B_State: Int { case off, on = 2 }",
                ["1:31: B_State.on has the raw value 2, but 1 in State (A.h:1)"]
            ),
        ])
    func rawValues(copy: String, messages: [String]) throws {
        let found = try check(["A.h": "typedef NS_ENUM(NSInteger, State) { StateOff, StateOn };", "B.swift": copy])
        #expect(found == messages.map { "B.swift:\($0)" })
    }

    @Test("a comment behind a property belongs to it, also if the mark is on a later line")
    func laterLine() throws {
        let found = try check([
            "A.h": "@interface User\n@property int age;\n@property int other;\n@end",
            "B.h": """
            @interface B_User
            @property long age; /* A number.
                                   hslink-models: differs */
            @property long other;
            @end
            """,
        ])
        #expect(found == ["B.h:4:16: B_User.other is long, but int in User (A.h:3)"])
    }

    @Test("two headers are compared, with marks in all kinds of comments")
    func headers() throws {
        let found = try check([
            "A.h": """
            @interface SFUserInfo : NSObject
            @property NSString *userName;
            @property NSMutableArray *list;
            @property (copy) void (^done)(BOOL);
            @property int age;
            @property int more;
            @property int other;
            @end
            typedef NS_ENUM(NSInteger, A_State) { A_StateOff, A_StateOn };
            """,
            "B.h": """
            #import "SFUserInfo.h"
            // hslink-models: without more: only shown in A
            @interface B_SFUserInfo : B_Base
            @property NSString *userName;
            @property NSArray *list;
            @property (copy) void (^done)(NSInteger);
            @property long age; // hslink-models: differs
            /* hslink-models: differs */
            @property long other;
            // hslink-models: differs
            - (void)method;
            @end
            typedef NS_ENUM(NSInteger, B_State) { B_StateOff, B_StateOn = 3 };
            """,
        ])
        #expect(
            found.filter { !$0.contains("note") } == [
                "B.h:3:12: B_SFUserInfo has the superclass B_Base, but no superclass in SFUserInfo (A.h:1)",
                "B.h:5:20: B_SFUserInfo.list is NSArray *, but NSMutableArray * in SFUserInfo (A.h:3)",
                "B.h:6:25: B_SFUserInfo.done is void ( ^ ) ( NSInteger ), but void ( ^ ) ( BOOL ) in SFUserInfo (A.h:4)",
                "B.h:10:1: this mark belongs to no type, property or case",
                "B.h:13:51: B_State.B_StateOn has the raw value 3, but 1 in A_State (A.h:9)",
            ])
    }
}
