export {
  createMerchant,
  MERCHANT_READS,
  openPlacing,
  type PlaceMerchant,
  type CreateMerchant,
  type CreatedMerchant,
} from './create-merchant.ts';
export { askMerchant, askSharedZone, askZone } from './ask-merchants.ts';
export { ALL_CODES, ALL_COUNTRIES, findCountry, localeOf, type Country } from './countries.ts';
export { openAmountIn, validSecrets, type Merchant, type OpenAmount, type RotationRefusal } from './merchant.ts';
export { MERCHANT_CHECKS } from './doctor-checks.ts';
export {
  joinDirectories,
  openCellDirectory,
  untilKnown,
  type CellDirectory,
  type CellDirectoryOptions,
  type MerchantDirectory,
} from './merchant-directory.ts';
export {
  countryOf,
  isFrozenNow,
  isUnpaidNow,
  MERCHANT_SECRETS,
  readFeeKeepers,
  readStoredMerchant,
  validHashesSince,
} from './merchant-rows.ts';
export {
  readNoticeEndpoints,
  readNoticeSigners,
  setNoticeUrl,
  type NoticeEndpoint,
  type NoticeHashes,
  type NoticeSigner,
} from './notice-endpoints.ts';
export { merchantCommands } from './merchants.cli.ts';
export { readMerchant } from './merchants.manage.ts';
export { merchantManagement } from './change-merchants.manage.ts';
export { readFixedHashStarts } from './read-fixed-hash-starts.ts';
export {
  commonZone,
  dayOfMerchant,
  daysAt,
  openTimeZones,
  readTimeZones,
  zoneOfDays,
  zoneOfMerchant,
  type TimeZoneOf,
} from './read-time-zones.ts';
export { replaceSecret, type Previous, type SecretTable } from './replace-secret.ts';
export {
  readMerchantIds,
  readMerchants,
  lockPaid,
  merchantFacts,
  reportsUpdates,
  requireMerchant,
  showMerchant,
  type ListedMerchant,
} from './read-merchants.ts';
