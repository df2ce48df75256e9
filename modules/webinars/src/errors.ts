import { defineErrors } from '@service/errors';

export const webinarErrors = defineErrors({
  webinar_not_found: { kind: 'not_found', message: 'There is no such webinar.' },
  webinar_not_published: {
    kind: 'conflict',
    message: 'The webinar is a draft. Publish it before registering attendees.',
  },
  webinar_slug_taken: { kind: 'conflict', message: 'Another webinar of the workspace has that slug.' },
  webinar_not_publishable: {
    kind: 'invalid',
    message: 'The webinar cannot be published yet. What is missing is in issues.',
  },
  webinar_has_registrations: {
    kind: 'conflict',
    message: 'Somebody is registered for a session that has not ended.',
  },
  session_not_found: { kind: 'not_found', message: 'There is no such session.' },
  session_exists: { kind: 'conflict', message: 'The webinar has a session that starts at that time.' },
  session_full: { kind: 'conflict', message: 'The session has no place left.' },
  session_not_api_controlled: {
    kind: 'conflict',
    message: 'The session runs by the clock. Only one made with control "api" can be moved.',
  },
  session_state_conflict: {
    kind: 'conflict',
    message: 'Not possible in the session’s status, which is in details.status.',
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
    message: 'The webinar has as many interactions as it may have. Delete one that is not used.',
  },
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
  segment_not_found: { kind: 'not_found', message: 'There is no such segment.' },
  segment_key_taken: { kind: 'conflict', message: 'Another segment of the webinar has that key.' },
  segment_in_use: { kind: 'conflict', message: 'A branch leads to or from the segment. Delete it first.' },
  segment_limit_reached: { kind: 'conflict', message: 'The webinar has as many segments as it may have.' },
  branch_not_found: { kind: 'not_found', message: 'There is no such branch.' },
  branch_limit_reached: { kind: 'conflict', message: 'The webinar has as many branches as it may have.' },
  branch_not_open: { kind: 'conflict', message: 'The viewer cannot take this branch now.' },
  too_many_moves: { kind: 'conflict', message: 'The viewer has moved between segments as often as one may.' },
  webinar_not_adaptive: { kind: 'conflict', message: 'Only a webinar of kind adaptive has segments.' },
  session_time_unavailable: {
    kind: 'invalid',
    message: 'The webinar has no bookable session at that time. The nearest ones are in details.nearest.',
  },
});
