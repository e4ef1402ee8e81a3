export { createNetwork, NETNAME_PATTERN, setServed, type CreatedNetwork, type CreateNetwork } from './change-network.ts';
export { NETWORK_CHECKS } from './doctor-checks.ts';
export { openNetworkDirectory, type NetworkDirectory } from './network-directory.ts';
export { enabledOf, listNetworks, NETWORK_SECRETS, networkFacts, readNetworks, signingSecretOf, type Network } from './network-rows.ts';
export { REVERSAL_SECONDS, serves, type WhereServed } from './serves.ts';
export { networkCommands } from './networks.cli.ts';
export { networkManagement } from './change-networks.manage.ts';
