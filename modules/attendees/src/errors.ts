import { defineErrors } from '@service/errors';

export const attendeeErrors = defineErrors({
  registration_not_found: {
    kind: 'not_found',
    message: 'The registration does not exist.',
    remedy: 'Take the id from the list of registrations of the same webinar; it may have been deleted.',
  },
  too_many_erasures: {
    kind: 'conflict',
    message: 'The workspace has 100 erasures that have not finished. Try again in ten minutes.',
    remedy: 'Wait ten minutes, then start the next erasure.',
  },
  registration_cancelled: {
    kind: 'conflict',
    message: 'The registration is cancelled.',
    remedy: 'Register the person again: a cancelled registration cannot be changed.',
  },
  registration_attended: {
    kind: 'conflict',
    message: 'The attendee has joined the session or missed it. Register them for the other session instead.',
    remedy: 'Register the person for the other session; what they attended stays with this one.',
  },
  registration_exists: {
    kind: 'conflict',
    message: 'The session already has a registration with this e-mail address.',
    remedy: 'Use the registration that exists: the list finds it by the e-mail address.',
  },
  join_link_expired: {
    kind: 'gone',
    message: 'This join link is no longer valid. Request a new one.',
    remedy: 'Read the present `joinUrl` of the registration, or send the attendee a new link.',
  },
  visit_not_found: {
    kind: 'not_found',
    message: 'The visit does not exist. Create a new one.',
    remedy: 'Create a visit with `POST /room/{join}/visits`, and use its id.',
  },
  room_closed: {
    kind: 'conflict',
    message: 'The session has started, and the room is closed to new attendees.',
    remedy: 'Register for a later session, or ask the host to allow a later entry.',
  },
  room_not_open: {
    kind: 'conflict',
    message: 'The lobby is not open yet. See details.opensAt.',
    remedy: 'Come back at `details.opensAt`.',
  },
  session_ended: {
    kind: 'gone',
    message: 'The session has ended or was cancelled, and it has no replay. See details.status.',
    remedy: 'Register for another session of the webinar.',
  },
  replay_over: {
    kind: 'gone',
    message: 'The replay is not available any more.',
    remedy: 'Register for another session of the webinar.',
  },
  form_expired: {
    kind: 'invalid',
    message: 'The form was sent too soon or more than a day after the page was loaded. Load the page again.',
    remedy: 'Load the registration page again and send the form within a day.',
  },
  too_many_registrations: {
    kind: 'rate_limited',
    message: 'Too many registrations in a short time. Retry after Retry-After seconds.',
    remedy:
      'Wait for the seconds of `Retry-After`; import many people with `POST /webinars/{webinarId}/registrations/bulk`.',
  },
  too_many_link_requests: {
    kind: 'rate_limited',
    message: 'Too many requests for links from this address. Retry after Retry-After seconds.',
    remedy: 'Wait for the seconds of `Retry-After`, and look for the mail with the link meanwhile.',
  },
  too_many_page_views: {
    kind: 'rate_limited',
    message: 'Too many pages were read from this address. Retry after Retry-After seconds.',
    remedy: 'Wait for the seconds of `Retry-After`, then load the page again.',
  },
  bulk_in_progress: {
    kind: 'rate_limited',
    message: 'The account has two bulk calls in progress. Retry after Retry-After seconds.',
    remedy: 'Send bulk calls one after the other, and wait for the answer of each.',
  },
  room_busy: {
    kind: 'rate_limited',
    message: 'The room is too busy for this call. Retry after Retry-After seconds.',
    remedy:
      'Repeat the call after the seconds of `Retry-After`; a heartbeat with the same `seq` counts once.',
  },
  too_many_invalid_links: {
    kind: 'rate_limited',
    message: 'Too many invalid join links from this address. Retry after Retry-After seconds.',
    remedy: 'Use the link of the newest mail, and wait for the seconds of `Retry-After`.',
  },
  session_not_live: {
    kind: 'conflict',
    message: 'Not possible in the current status of the session. See details.status.',
    remedy:
      'Make the call while the session has the status that it needs; `details.status` is the present one.',
  },
  message_not_found: {
    kind: 'not_found',
    message: 'The session has no such message.',
    remedy: 'Answer a message of the same session that has not been removed.',
  },
  chat_off: {
    kind: 'conflict',
    message: 'The chat of this webinar is switched off.',
    remedy: 'Switch the chat on in the settings of the room, or send no messages.',
  },
  poll_answered: {
    kind: 'conflict',
    message: 'The poll allows one answer, and the attendee has given another one.',
    remedy: 'Show the results of the poll; the first answer counts.',
  },
  branch_not_open: {
    kind: 'conflict',
    message: 'The viewer cannot take this branch now.',
    remedy: 'Offer the branch only while its decision is shown to the attendee.',
  },
  too_many_moves: {
    kind: 'conflict',
    message: 'The viewer has reached the maximum number of moves between segments.',
    remedy: 'Check the branches of the webinar for a circle that attendees cannot leave.',
  },
  session_time_unavailable: {
    kind: 'invalid',
    message: 'The webinar has no bookable session at that time. See details.nearest for the nearest ones.',
    remedy:
      'Book one of the times in `details.nearest`, or read all of them with `GET /webinars/{webinarId}/session-slots`.',
  },
});
