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
  interaction_not_found: { kind: 'not_found', message: 'There is no such interaction.' },
  interaction_limit_reached: {
    kind: 'conflict',
    message: 'The webinar has as many interactions as it may have. Delete one that is not used.',
  },
  segment_not_found: { kind: 'not_found', message: 'There is no such segment.' },
  segment_key_taken: { kind: 'conflict', message: 'Another segment of the webinar has that key.' },
  segment_in_use: { kind: 'conflict', message: 'A branch leads to or from the segment. Delete it first.' },
  segment_limit_reached: { kind: 'conflict', message: 'The webinar has as many segments as it may have.' },
  branch_not_found: { kind: 'not_found', message: 'There is no such branch.' },
  branch_limit_reached: { kind: 'conflict', message: 'The webinar has as many branches as it may have.' },
  webinar_not_adaptive: { kind: 'conflict', message: 'Only a webinar of kind adaptive has segments.' },
});
