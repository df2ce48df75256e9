export { createOutboundAgent, type OutboundAgent, type OutboundAgentOptions } from './agent.ts';
export {
  type ApiAnswer,
  callApi,
  type FieldText,
  keyField,
  readRetryAfter,
  readWait,
  secretNamesOf,
} from './call-api.ts';
export { checkDestination, type DestinationFault, type DestinationVerdict } from './check-destination.ts';
export type { Failure } from './failure.ts';
export { createSocketOpener, type OpenSocket, OpenSocketError } from './open-socket.ts';
export { createOutboundPolicy, type OutboundPolicy } from './policy.ts';
export { createResolver, type Resolver, type ResolverOptions } from './resolver.ts';
export type { OutboundRequest } from './exchange.ts';
export { sendRequest, type SendOutcome } from './send-request.ts';
export type { SendTimings } from './openings.ts';
