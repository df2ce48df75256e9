import { defineErrors } from '@service/errors';

export const mailErrors = defineErrors({
  mail_switched_off: {
    kind: 'conflict',
    message: 'This mail is switched off in the settings of the webinar.',
  },
  mail_not_suitable: {
    kind: 'conflict',
    message:
      'This mail does not fit the registration: it is cancelled, or its session has not ended or is over.',
  },
  mail_limit_reached: {
    kind: 'rate_limited',
    message: 'The person got five mails of this kind within a day. Retry after Retry-After seconds.',
    pageMessage: 'The person got five mails of this kind within a day.',
  },
  mail_sender_missing: {
    kind: 'conflict',
    message:
      'The workspace has no working connection to an e-mail provider, and the installation sends no mails.',
  },
  suppression_not_found: { kind: 'not_found', message: 'The address is not suppressed.' },
});
