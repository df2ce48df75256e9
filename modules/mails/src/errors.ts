import { defineErrors } from '@service/errors';

export const mailErrors = defineErrors({
  mail_switched_off: {
    kind: 'conflict',
    message: 'This mail is switched off in the settings of the webinar.',
    remedy: 'Switch the mail on with `PATCH /webinars/{webinarId}/mails`, then send it.',
  },
  mail_not_suitable: {
    kind: 'conflict',
    message:
      'This mail does not fit the registration: it is cancelled, or its session has not ended or is over.',
    remedy: 'Choose another kind of mail, or wait until the session has ended.',
  },
  mail_limit_reached: {
    kind: 'rate_limited',
    message: 'The person got five mails of this kind within a day. Retry after Retry-After seconds.',
    pageMessage: 'The person got five mails of this kind within a day.',
    remedy:
      'Wait for the seconds of `Retry-After`; the history of the registration shows which mails were sent.',
  },
  mail_test_limit_reached: {
    kind: 'rate_limited',
    message:
      'A member can send ten tests in a minute, and a workspace 100 in a day through the sender of the installation or 1,000 ' +
      'through its own provider. Retry after Retry-After seconds.',
    pageMessage:
      'A member can send ten tests in a minute, and a workspace 100 in a day through the sender of the installation or 1,000 ' +
      'through its own provider.',
    remedy: 'Wait for the seconds of `Retry-After`, or connect a provider of your own for more tests.',
  },
  mail_sender_missing: {
    kind: 'conflict',
    message:
      'The workspace has no working connection to an e-mail provider, and the installation sends no mails.',
    remedy: 'Connect an e-mail provider in the dashboard under Settings, E-mail.',
  },
  suppression_not_found: {
    kind: 'not_found',
    message: 'The address is not suppressed.',
    remedy: 'Search the list of suppressed addresses: the address may have been removed already.',
  },
});
