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
  mail_test_limit_reached: {
    kind: 'rate_limited',
    message:
      'A member can send ten tests in a minute, and a workspace 100 in a day through the sender of the installation or 1,000 ' +
      'through its own provider. Retry after Retry-After seconds.',
    pageMessage:
      'A member can send ten tests in a minute, and a workspace 100 in a day through the sender of the installation or 1,000 ' +
      'through its own provider.',
  },
  mail_sender_missing: {
    kind: 'conflict',
    message:
      'The workspace has no working connection to an e-mail provider, and the installation sends no mails.',
  },
  suppression_not_found: { kind: 'not_found', message: 'The address is not suppressed.' },
});
