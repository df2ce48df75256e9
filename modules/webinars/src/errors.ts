import { defineErrors } from '@service/errors';

export const webinarErrors = defineErrors({
  webinar_not_found: { kind: 'not_found', message: 'There is no such webinar.' },
  webinar_not_published: {
    kind: 'conflict',
    message: 'The webinar is a draft. Publish it before registering attendees.',
  },
  registration_not_found: { kind: 'not_found', message: 'There is no such registration.' },
  session_time_unavailable: {
    kind: 'invalid',
    message: 'The webinar has no bookable session at that time. The nearest ones are in details.nearest.',
  },
});
