import { defineErrors } from '@service/errors';

export const attendeeErrors = defineErrors({
  registration_not_found: { kind: 'not_found', message: 'The registration does not exist.' },
  too_many_erasures: {
    kind: 'conflict',
    message: 'The workspace has 100 erasures that have not finished. Try again in ten minutes.',
  },
  registration_cancelled: { kind: 'conflict', message: 'The registration is cancelled.' },
  registration_attended: {
    kind: 'conflict',
    message: 'The attendee has joined the session or missed it. Register them for the other session instead.',
  },
  registration_exists: {
    kind: 'conflict',
    message: 'The session already has a registration with this e-mail address.',
  },
  join_link_expired: {
    kind: 'gone',
    message: 'This join link is no longer valid. Request a new one.',
  },
  visit_not_found: { kind: 'not_found', message: 'The visit does not exist. Create a new one.' },
  room_closed: {
    kind: 'conflict',
    message: 'The session has started, and the room is closed to new attendees.',
  },
  room_not_open: {
    kind: 'conflict',
    message: 'The lobby is not open yet. See details.opensAt.',
  },
  session_ended: {
    kind: 'gone',
    message: 'The session has ended or was cancelled, and it has no replay. See details.status.',
  },
  replay_over: { kind: 'gone', message: 'The replay is not available any more.' },
  form_expired: {
    kind: 'invalid',
    message: 'The form was sent too soon or more than a day after the page was loaded. Load the page again.',
  },
  too_many_registrations: {
    kind: 'rate_limited',
    message: 'Too many registrations in a short time. Retry after Retry-After seconds.',
  },
  too_many_link_requests: {
    kind: 'rate_limited',
    message: 'Too many requests for links from this address. Retry after Retry-After seconds.',
  },
  too_many_page_views: {
    kind: 'rate_limited',
    message: 'Too many pages were read from this address. Retry after Retry-After seconds.',
  },
  bulk_in_progress: {
    kind: 'rate_limited',
    message: 'The account has two bulk calls in progress. Retry after Retry-After seconds.',
  },
  room_busy: {
    kind: 'rate_limited',
    message: 'The room is too busy for this call. Retry after Retry-After seconds.',
  },
  too_many_invalid_links: {
    kind: 'rate_limited',
    message: 'Too many invalid join links from this address. Retry after Retry-After seconds.',
  },
  session_not_live: {
    kind: 'conflict',
    message: 'Not possible in the current status of the session. See details.status.',
  },
  message_not_found: { kind: 'not_found', message: 'The session has no such message.' },
  chat_off: { kind: 'conflict', message: 'The chat of this webinar is switched off.' },
  poll_answered: {
    kind: 'conflict',
    message: 'The poll allows one answer, and the attendee has given another one.',
  },
  branch_not_open: { kind: 'conflict', message: 'The viewer cannot take this branch now.' },
  too_many_moves: {
    kind: 'conflict',
    message: 'The viewer has reached the maximum number of moves between segments.',
  },
  session_time_unavailable: {
    kind: 'invalid',
    message: 'The webinar has no bookable session at that time. See details.nearest for the nearest ones.',
  },
});
