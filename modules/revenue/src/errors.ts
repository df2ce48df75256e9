import { defineErrors } from '@service/errors';

export const revenueErrors = defineErrors({
  revenue_event_not_found: { kind: 'not_found', message: 'The revenue event does not exist.' },
  export_in_progress: {
    kind: 'rate_limited',
    message: 'The workspace has two exports in progress. Retry after Retry-After seconds.',
  },
});
