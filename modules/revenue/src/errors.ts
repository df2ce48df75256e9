import { defineErrors } from '@service/errors';

export const revenueErrors = defineErrors({
  revenue_event_not_found: {
    kind: 'not_found',
    message: 'The revenue event does not exist.',
    remedy: 'Take the id from `GET /revenue/events` of the same workspace.',
  },
  payment_unknown: {
    kind: 'conflict',
    message: 'The purchase of this event has not arrived, so there is no payment to credit.',
    remedy: 'Wait for the purchase, or ask the sender to send it again, then credit it.',
  },
  revenue_source_not_found: {
    kind: 'not_found',
    message: 'The revenue source does not exist or has no secret.',
    remedy: 'Create a secret for the source in the dashboard under Settings, Revenue.',
  },
  revenue_source_exists: {
    kind: 'conflict',
    message: 'The revenue source has a secret already. Rotate it instead.',
    remedy: 'Rotate the secret under Settings, Revenue, and give the new one to the sender.',
  },
  refused_event_not_found: {
    kind: 'not_found',
    message: 'The refused event does not exist. Refused events are kept for a week.',
    remedy: 'Ask the sender to send the event again if it is older than a week.',
  },
  invalid_signature: {
    kind: 'unauthenticated',
    message: 'Invalid signature',
    remedy:
      'Sign the exact bytes of the body with the secret of this workspace and provider, and compare the address with Settings, Revenue.',
  },
  content_encoding_unsupported: {
    kind: 'unsupported_media_type',
    message: 'Send the body without Content-Encoding.',
    remedy: 'Switch off compression of the request body in your client.',
  },
  revenue_rate_limited: {
    kind: 'rate_limited',
    message: 'The workspace sends revenue events too fast. Retry after Retry-After seconds.',
    remedy: 'Send the same event again after the seconds of `Retry-After`; it is never counted twice.',
  },
  too_many_revenue_requests: {
    kind: 'rate_limited',
    message:
      'Too many requests at once, or too many without a valid signature, came from this address. Retry after Retry-After seconds.',
    remedy:
      'Check the secret, send fewer events at the same time, and go on after the seconds of `Retry-After`.',
  },
});
