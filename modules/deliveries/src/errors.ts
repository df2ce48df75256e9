import { defineErrors } from '@service/errors';

export const deliveryErrors = defineErrors({
  delivery_not_found: {
    kind: 'not_found',
    message: 'There is no such delivery.',
    remedy:
      'Take the id from the list of deliveries of the same endpoint; deliveries are kept for a limited time.',
  },
  delivery_in_flight: {
    kind: 'conflict',
    message: 'The delivery is being sent at this moment. Look at its result before you send it again.',
    remedy: 'Read the delivery again after some seconds, and send it again only if it has failed.',
  },
  delivery_replaced: {
    kind: 'conflict',
    message:
      'The delivery was already sent again while it was waiting. Its `replacedBy` is the newer delivery.',
    remedy: 'Follow `replacedBy` to the newer delivery.',
  },
  delivery_body_deleted: {
    kind: 'conflict',
    message: 'The body of the delivery is no longer kept, so it cannot be sent again.',
    remedy: 'Send deliveries again while their bodies are kept.',
  },
  delivery_not_failed: {
    kind: 'conflict',
    message:
      'The delivery has neither failed nor is it waiting for a retry. The dashboard sends no other delivery again.',
    remedy: 'Use `POST .../redeliver` of the REST API to send a delivery again that has succeeded.',
  },
  delivery_backlog_full: {
    kind: 'rate_limited',
    message:
      'Too many deliveries of this workspace wait, or they take too much space. The message names the limit. Repair, switch off or ' +
      'delete the endpoints that do not answer, or ask the operator of the installation to raise the limit.',
    remedy:
      'Repair, switch off or delete the endpoints that `GET /webhook-endpoints` shows with waiting deliveries.',
  },
  recovery_not_found: {
    kind: 'not_found',
    message: 'There is no such recovery.',
    remedy: 'Take the id from the answer that started the recovery, or from the list of recoveries.',
  },
  recovery_running: {
    kind: 'conflict',
    message: 'A recovery of this endpoint is already running. Wait until it is done, or cancel it.',
    remedy: 'Wait until the recovery is done, or cancel it before you start another one.',
  },
  recovery_finished: {
    kind: 'conflict',
    message: 'The recovery has already ended.',
    remedy: 'Start a new recovery if deliveries still have to be sent again.',
  },
  endpoint_halted: {
    kind: 'conflict',
    message: 'The endpoint is halted, so nothing is sent to it. Resume it with `halted: false`.',
    remedy: 'Send `halted: false` to the rule or subscription, then repeat the call.',
  },
  endpoint_not_found: {
    kind: 'not_found',
    message: 'There is no such endpoint.',
    remedy: 'Take the id from `GET /webhook-endpoints`; the rule or subscription may have been deleted.',
  },
});
