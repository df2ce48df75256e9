import { defineErrors } from '@service/errors';

export const webinarErrors = defineErrors({
  webinar_not_found: { kind: 'not_found', message: 'There is no such webinar.' },
  webinar_not_published: {
    kind: 'conflict',
    message: 'The webinar is a draft. Publish it before registering attendees.',
  },
  webinar_slug_taken: { kind: 'conflict', message: 'Another webinar in the workspace has this slug.' },
  webinar_not_publishable: {
    kind: 'invalid',
    message: 'The webinar cannot be published yet. The missing parts are in issues.',
  },
  webinar_has_registrations: {
    kind: 'conflict',
    message: 'A session that has not ended has registrations.',
  },
  session_not_found: { kind: 'not_found', message: 'There is no such session.' },
  session_exists: {
    kind: 'conflict',
    message: 'The webinar already has a session that starts at this time.',
  },
  session_full: { kind: 'conflict', message: 'The session is full.' },
  session_not_api_controlled: {
    kind: 'conflict',
    message: 'The session runs by the clock. Only sessions with control "api" can be controlled by calls.',
  },
  session_state_conflict: {
    kind: 'conflict',
    message: 'The status of the session does not allow this. The status is in details.status.',
  },
  session_has_no_segments: {
    kind: 'conflict',
    message: 'The webinar has no segments to advance to.',
  },
  registration_not_found: { kind: 'not_found', message: 'There is no such registration.' },
  registration_cancelled: { kind: 'conflict', message: 'The registration is cancelled.' },
  interaction_not_found: { kind: 'not_found', message: 'There is no such interaction.' },
  interaction_limit_reached: {
    kind: 'conflict',
    message: 'The webinar has reached its limit of 200 interactions. Delete one to add another.',
  },
  join_link_expired: {
    kind: 'gone',
    message: 'This join link is no longer valid. Ask for a new one.',
  },
  visit_not_found: { kind: 'not_found', message: 'There is no such visit. Create a new one.' },
  room_closed: { kind: 'conflict', message: 'The session has started and is closed to new attendees.' },
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
    message: 'The session is not live. Its status is in details.status.',
  },
  chat_off: { kind: 'conflict', message: 'The chat of this webinar is switched off.' },
  poll_answered: {
    kind: 'conflict',
    message: 'This poll accepts one answer, and the attendee has already given another one.',
  },
  segment_not_found: { kind: 'not_found', message: 'There is no such segment.' },
  segment_key_taken: { kind: 'conflict', message: 'Another segment of the webinar has that key.' },
  segment_in_use: {
    kind: 'conflict',
    message: 'A branch leads to or from the segment. Delete the branch first.',
  },
  segment_limit_reached: { kind: 'conflict', message: 'The webinar has reached its limit of 50 segments.' },
  branch_not_found: { kind: 'not_found', message: 'There is no such branch.' },
  branch_limit_reached: { kind: 'conflict', message: 'The webinar has reached its limit of 200 branches.' },
  branch_not_open: { kind: 'conflict', message: 'The viewer cannot take this branch now.' },
  too_many_moves: {
    kind: 'conflict',
    message: 'The viewer has reached the limit of 50 moves between segments.',
  },
  webinar_not_adaptive: { kind: 'conflict', message: 'Only a webinar of kind adaptive has segments.' },
  session_time_unavailable: {
    kind: 'invalid',
    message: 'The webinar has no bookable session at this time. The nearest times are in details.nearest.',
  },
});
