#import <Foundation/Foundation.h>

@class Account_Address;

NS_ASSUME_NONNULL_BEGIN

@interface Account_UserInfo : NSObject
@property (nonatomic, copy) NSString *userName;
@property (nonatomic, copy) NSString *nickName;
@property (nonatomic, assign) NSInteger age;
@property (nonatomic, strong, nullable) Account_Address *address;
@end

@interface Account_Address : NSObject
@property (nonatomic, copy) NSString *street;
@end

NS_ASSUME_NONNULL_END
