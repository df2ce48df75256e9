import { defineErrors } from '@service/errors';

export const revenueErrors = defineErrors({
  revenue_event_not_found: { kind: 'not_found', message: 'The revenue event does not exist.' },
});
