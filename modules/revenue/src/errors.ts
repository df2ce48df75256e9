import { defineErrors } from '@service/errors';

export const revenueErrors = defineErrors({
  revenue_event_not_found: { kind: 'not_found', message: 'The revenue event does not exist.' },
  payment_unknown: {
    kind: 'conflict',
    message: 'The purchase of this event has not arrived, so there is no payment to credit.',
  },
  revenue_source_not_found: {
    kind: 'not_found',
    message: 'The revenue source does not exist or has no secret.',
  },
  revenue_source_exists: {
    kind: 'conflict',
    message: 'The revenue source has a secret already. Rotate it instead.',
  },
  refused_event_not_found: {
    kind: 'not_found',
    message: 'The refused event does not exist. Refused events are kept for a week.',
  },
  invalid_signature: { kind: 'unauthenticated', message: 'Invalid signature' },
  content_encoding_unsupported: {
    kind: 'unsupported_media_type',
    message: 'Send the body without Content-Encoding.',
  },
  revenue_rate_limited: {
    kind: 'rate_limited',
    message: 'The workspace sends revenue events too fast. Retry after Retry-After seconds.',
  },
  too_many_revenue_requests: {
    kind: 'rate_limited',
    message:
      'Too many requests at once, or too many without a valid signature, came from this address. Retry after Retry-After seconds.',
  },
});
