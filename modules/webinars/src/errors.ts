import { defineErrors } from '@service/errors';

export const webinarErrors = defineErrors({
  webinar_not_found: {
    kind: 'not_found',
    message: 'The webinar does not exist.',
    remedy:
      'Take the id from `GET /webinars` of the same workspace; an archived webinar is not found either.',
  },
  webinar_not_published: {
    kind: 'conflict',
    message: 'The webinar is a draft. Publish it before registering attendees.',
    remedy: 'Publish the webinar with `POST /webinars/{webinarId}/publish`, then repeat the call.',
  },
  webinar_not_publishable: {
    kind: 'invalid',
    message: 'The webinar cannot be published yet. The missing parts are in issues.',
    remedy: 'Add each part that `issues` names, then publish again.',
  },
  webinar_has_registrations: {
    kind: 'conflict',
    message: 'A session that has not ended has registrations.',
    remedy: 'Cancel the registrations of the coming sessions, or archive the webinar instead.',
  },
  session_not_found: {
    kind: 'not_found',
    message: 'There is no such session.',
    remedy: 'Take the id from the list of sessions of the same webinar.',
  },
  session_exists: {
    kind: 'conflict',
    message: 'The webinar already has a session that starts at this time.',
    remedy: 'Use the session that exists at this time, or choose another time.',
  },
  session_full: {
    kind: 'conflict',
    message: 'The session is full.',
    remedy: 'Book another session, or raise `capacityPerSession` of the webinar.',
  },
  session_not_api_controlled: {
    kind: 'conflict',
    message: 'The session runs by the clock. Only sessions with control "api" can be controlled by calls.',
    remedy: 'Create the session with `control: "api"` if calls should start and end it.',
  },
  session_state_conflict: {
    kind: 'conflict',
    message: 'The status of the session does not allow this. The status is in details.status.',
    remedy: 'Read `details.status`, and make only the steps that this status allows.',
  },
  session_has_no_segments: {
    kind: 'conflict',
    message: 'The webinar has no segments to advance to.',
    remedy: 'Add segments to the webinar before you advance its session.',
  },
  interaction_not_found: {
    kind: 'not_found',
    message: 'The interaction does not exist.',
    remedy: 'Take the id from the list of interactions of the same webinar.',
  },
  interaction_limit_reached: {
    kind: 'conflict',
    message: 'The webinar has the maximum number of interactions. Delete one first.',
    remedy: 'Delete an interaction that is not needed, then create the new one.',
  },
  segment_not_found: {
    kind: 'not_found',
    message: 'The segment does not exist.',
    remedy: 'Take the id from the list of segments of the same webinar.',
  },
  segment_key_taken: {
    kind: 'conflict',
    message: 'Another segment of the webinar uses this key.',
    remedy: 'Choose another key: it is unique within the webinar.',
  },
  segment_in_use: {
    kind: 'conflict',
    message: 'A branch leads to or from the segment. Delete the branch first.',
    remedy:
      'Delete the branches from and to the segment first, or delete it together with them in the dashboard.',
  },
  segment_limit_reached: {
    kind: 'conflict',
    message: 'The webinar has the maximum number of segments.',
    remedy: 'Delete a segment that is not needed, then create the new one.',
  },
  branch_not_found: {
    kind: 'not_found',
    message: 'The branch does not exist.',
    remedy: 'Take the id from the list of branches of the same webinar.',
  },
  branch_limit_reached: {
    kind: 'conflict',
    message: 'The webinar has the maximum number of branches.',
    remedy: 'Delete a branch that is not needed, then create the new one.',
  },
  webinar_not_adaptive: {
    kind: 'conflict',
    message: 'Only a webinar of kind adaptive has segments.',
    remedy: 'Create a webinar with `kind: "adaptive"` for segments and branches.',
  },
});
