export { judgeAddress, type AddressVerdict } from './address.ts';
export { createOutboundAgent, type OutboundAgent, type OutboundAgentOptions } from './agent.ts';
export { BlockedAddressError } from './blocked-address.ts';
export { checkDestination, type DestinationFault, type DestinationVerdict } from './destination.ts';
export type { Failure } from './failure.ts';
export { createOutboundPolicy, type OutboundPolicy } from './policy.ts';
export { createResolver, ResolveError, type Resolver, type ResolverOptions } from './resolver.ts';
export { sendRequest, type OutboundRequest, type SendOutcome } from './send.ts';
