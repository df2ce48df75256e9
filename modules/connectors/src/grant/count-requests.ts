import { createUsageCounter } from '@service/keys';

/** Counts the requests of grants. */
export const countGrantRequests = createUsageCounter({
  name: 'connectors.add_usage',
  table: 'connectors.grant',
});
