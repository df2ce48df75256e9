export { createOutboundAgent, type OutboundAgent, type OutboundAgentOptions } from './agent.ts';
export { checkDestination, type DestinationFault, type DestinationVerdict } from './destination.ts';
export type { Failure } from './failure.ts';
export { createOutboundPolicy, type OutboundPolicy } from './policy.ts';
export { createResolver, type Resolver, type ResolverOptions } from './resolver.ts';
export { sendRequest, type OutboundRequest, type SendOutcome } from './send.ts';
export type { SendTimings } from './timings.ts';
