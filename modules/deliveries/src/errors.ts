import { defineErrors } from '@service/errors';

export const deliveryErrors = defineErrors({
  delivery_not_found: { kind: 'not_found', message: 'There is no such delivery.' },
  delivery_still_waiting: {
    kind: 'conflict',
    message: 'The delivery is not finished yet. Only a finished one can be sent again.',
  },
  delivery_not_failed: {
    kind: 'conflict',
    message: 'The delivery did not fail. Only a failed one can be fired again.',
  },
  recovery_not_found: { kind: 'not_found', message: 'There is no such recovery.' },
  recovery_running: {
    kind: 'conflict',
    message: 'A recovery of this endpoint is running already. Wait until it is done, or cancel it.',
  },
  recovery_finished: { kind: 'conflict', message: 'The recovery has ended already.' },
  endpoint_not_found: { kind: 'not_found', message: 'There is no such endpoint.' },
});
