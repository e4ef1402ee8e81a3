export { createMerchant, type CreateMerchant, type CreatedMerchant } from './create-merchant.ts';
export { findCountry, localeOf, type Country } from './countries.ts';
export { decideRotation, MAX_ROTATION_DAYS, validSecrets, type HeldGeneration, type Merchant, type RotationRefusal } from './merchant.ts';
export { openMerchantDirectory, untilKnown, type MerchantDirectory } from './merchant-directory.ts';
export { MERCHANT_SECRETS } from './merchant-rows.ts';
export { readNoticeEndpoints, readNoticeSigners, type NoticeEndpoint, type NoticeSigner } from './notice-endpoints.ts';
export { merchantCommands } from './merchants.cli.ts';
export { readTimeZones } from './read-time-zones.ts';
export { requireMerchant, showMerchant } from './read-merchants.ts';
