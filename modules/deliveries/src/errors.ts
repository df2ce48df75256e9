import { defineErrors } from '@service/errors';

export const deliveryErrors = defineErrors({
  delivery_not_found: { kind: 'not_found', message: 'There is no such delivery.' },
  delivery_still_waiting: {
    kind: 'conflict',
    message: 'The delivery has not ended yet. Only a delivery that has ended can be sent again.',
  },
  delivery_not_failed: {
    kind: 'conflict',
    message: 'The delivery did not fail. Only a failed delivery can be refired.',
  },
  recovery_not_found: { kind: 'not_found', message: 'There is no such recovery.' },
  recovery_running: {
    kind: 'conflict',
    message: 'A recovery of this endpoint is already running. Wait until it is done, or cancel it.',
  },
  recovery_finished: { kind: 'conflict', message: 'The recovery has already ended.' },
  endpoint_not_found: { kind: 'not_found', message: 'There is no such endpoint.' },
});
