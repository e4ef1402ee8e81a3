export { createNetwork, type CreatedNetwork, type CreateNetwork } from './create-network.ts';
export { NETNAME_PATTERN, type Network } from './network.ts';
export { openNetworkDirectory, untilNetworkKnown, type NetworkDirectory } from './network-directory.ts';
export { NETWORK_SECRETS } from './network-rows.ts';
export { networkCommands } from './networks.cli.ts';
