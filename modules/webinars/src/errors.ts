import { defineErrors } from '@service/errors';

export const webinarErrors = defineErrors({
  webinar_not_found: { kind: 'not_found', message: 'The webinar does not exist.' },
  webinar_not_published: {
    kind: 'conflict',
    message: 'The webinar is a draft. Publish it before registering attendees.',
  },
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
  interaction_not_found: { kind: 'not_found', message: 'The interaction does not exist.' },
  interaction_limit_reached: {
    kind: 'conflict',
    message: 'The webinar has the maximum number of interactions. Delete one first.',
  },
  segment_not_found: { kind: 'not_found', message: 'The segment does not exist.' },
  segment_key_taken: { kind: 'conflict', message: 'Another segment of the webinar uses this key.' },
  segment_in_use: {
    kind: 'conflict',
    message: 'A branch leads to or from the segment. Delete the branch first.',
  },
  segment_limit_reached: { kind: 'conflict', message: 'The webinar has the maximum number of segments.' },
  branch_not_found: { kind: 'not_found', message: 'The branch does not exist.' },
  branch_limit_reached: { kind: 'conflict', message: 'The webinar has the maximum number of branches.' },
  webinar_not_adaptive: { kind: 'conflict', message: 'Only a webinar of kind adaptive has segments.' },
});
