export { automationsModule } from './module.ts';
export type { CheckUrl, DestinationPolicy } from './endpoint/require-destination.ts';
export { createEventSubscriber } from './create-event-subscriber.ts';
export { deleteFiringsBefore } from './evaluation/fire-rules.ts';
export { findEndpointOwner, type EndpointOwner } from './endpoint/endpoint-owners.ts';
export { eventCatalogue, type EventCatalogueEntry } from './event-type/event-catalogue.ts';
export { refireBody } from './event-type/envelope.ts';
export { findRuleMails } from './rule/find-rule-mails.ts';
export { fireDueTimers } from './timer/fire-timers.ts';
