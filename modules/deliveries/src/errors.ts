import { defineErrors } from '@service/errors';

export const deliveryErrors = defineErrors({
  delivery_not_found: { kind: 'not_found', message: 'There is no such delivery.' },
  delivery_in_flight: {
    kind: 'conflict',
    message: 'The delivery is being sent at this moment. Look at its result before you send it again.',
  },
  delivery_replaced: {
    kind: 'conflict',
    message:
      'The delivery was already sent again while it was waiting. Its `replacedBy` is the newer delivery.',
  },
  delivery_not_failed: {
    kind: 'conflict',
    message:
      'The delivery has neither failed nor is it waiting for a retry. The dashboard sends no other delivery again.',
  },
  delivery_backlog_full: {
    kind: 'rate_limited',
    message:
      'Too many deliveries of this workspace wait, or they take too much space. The message names the limit. Repair, switch off or ' +
      'delete the endpoints that do not answer, or ask the operator of the installation to raise the limit.',
  },
  recovery_not_found: { kind: 'not_found', message: 'There is no such recovery.' },
  recovery_running: {
    kind: 'conflict',
    message: 'A recovery of this endpoint is already running. Wait until it is done, or cancel it.',
  },
  recovery_finished: { kind: 'conflict', message: 'The recovery has already ended.' },
  endpoint_halted: {
    kind: 'conflict',
    message: 'The endpoint is halted, so nothing is sent to it. Resume it with `halted: false`.',
  },
  endpoint_not_found: { kind: 'not_found', message: 'There is no such endpoint.' },
});
