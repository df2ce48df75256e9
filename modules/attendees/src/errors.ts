import { defineErrors } from '@service/errors';

export const attendeeErrors = defineErrors({
  registration_not_found: { kind: 'not_found', message: 'There is no such registration.' },
  registration_cancelled: { kind: 'conflict', message: 'The registration is cancelled.' },
  join_link_expired: {
    kind: 'gone',
    message: 'This join link is not valid any more. Ask for a new one.',
  },
  visit_not_found: { kind: 'not_found', message: 'There is no such visit. Make a new one.' },
  room_closed: { kind: 'conflict', message: 'The session has begun, and nobody is let in any more.' },
  bulk_in_progress: {
    kind: 'rate_limited',
    message: 'The account has two bulk calls in progress. Retry after Retry-After seconds.',
  },
  room_busy: {
    kind: 'rate_limited',
    message: 'The room cannot take this call now. Retry after Retry-After seconds.',
  },
  too_many_invalid_links: {
    kind: 'rate_limited',
    message: 'Too many invalid join links from this address. Retry after Retry-After seconds.',
  },
  session_not_live: {
    kind: 'conflict',
    message: 'Not possible in the session’s status, which is in details.status.',
  },
  chat_off: { kind: 'conflict', message: 'The chat of this webinar is switched off.' },
  poll_answered: {
    kind: 'conflict',
    message: 'This poll takes one answer, and there is another one already.',
  },
  branch_not_open: { kind: 'conflict', message: 'The viewer cannot take this branch now.' },
  too_many_moves: { kind: 'conflict', message: 'The viewer has moved between segments as often as one may.' },
  session_time_unavailable: {
    kind: 'invalid',
    message: 'The webinar has no bookable session at that time. The nearest ones are in details.nearest.',
  },
});
