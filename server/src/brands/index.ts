export { NO_NETWORK_BRAND, type MerchantBrand, type NetworkBrand } from './brand.ts';
export { merchantBrandFacts, networkBrandFacts, readMerchantBrand, readNetworkBrands, readPictures } from './brand-rows.ts';
export { brandManagement } from './brands.manage.ts';
export { contrast, readableOn } from './colour.ts';
export { parseHours, type Opening } from './hours.ts';
