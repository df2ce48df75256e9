import { z } from 'zod';
import {
  defineEventType,
  onceInSession,
  seconds,
  time,
  watched,
  withoutParams,
} from './define-event-type.ts';

export const attendanceEvents = {
  registered: defineEventType({
    type: 'registered',
    title: 'Registered',
    group: 'Registration and attendance',
    when: 'An attendee registers',
    sentence: 'an attendee registers',
    description: 'An attendee registers. Registering for the same session again does not repeat the event.',
    data: z.looseObject({
      join_url: z
        .string()
        .nullable()
        .optional()
        .meta({
          description:
            'The personal link with which the attendee joins, as it is when the webhook is sent. Null when it does not exist any more. ' +
            'Left out while the service is upgraded from a version without this field. Anyone who has it joins as the attendee.',
          format: 'uri',
        }),
    }),
    sample: { join_url: 'https://webinars.example.com/room/AZqiwlHwfMOYxNwMDAc5jwGaosJR8HzD' },
    ...withoutParams(),
    subject: onceInSession,
  }),

  joined: defineEventType({
    type: 'joined',
    title: 'Joined',
    group: 'Registration and attendance',
    when: 'An attendee joins',
    sentence: 'an attendee joins',
    description: 'An attendee joins a session: seconds after the first heartbeat from the live room.',
    data: z.looseObject({}),
    sample: {},
    ...withoutParams(),
    subject: onceInSession,
  }),

  left: defineEventType({
    type: 'left',
    title: 'Left',
    group: 'Registration and attendance',
    when: 'An attendee leaves',
    sentence: 'an attendee leaves',
    description:
      'An attendee leaves: they close the page and do not come back, send no heartbeat for 90 seconds, or the session ends.',
    data: z.looseObject({
      leftAt: time('The time at which the attendee left.'),
      reason: z
        .enum(['closed', 'timeout', 'session_ended'])
        .meta({
          id: 'LeaveReason',
          description: 'Why the attendee left: the page was closed, sent no heartbeat, or the session ended.',
        })
        .optional(),
      positionSeconds: seconds('The position in the video.'),
      ...watched,
    }),
    sample: {
      leftAt: '2026-12-01T17:41:10.000Z',
      reason: 'closed',
      positionSeconds: 2470,
      watchedSeconds: 2391,
      completionPercent: 66,
    },
    ...withoutParams(),
    subject: onceInSession,
  }),

  no_show: defineEventType({
    type: 'no_show',
    title: 'No-show',
    group: 'Registration and attendance',
    when: 'A registrant misses the session',
    sentence: 'a registrant misses the session',
    description:
      'A registrant misses the session. This is decided ten minutes after its end, or after another time that the webinar sets.',
    data: z.looseObject({
      detectedAt: time('The time from which the attendee counts as absent.'),
      sessionStartedAt: time('The start of the session.'),
    }),
    sample: { detectedAt: '2026-12-01T18:10:00.000Z', sessionStartedAt: '2026-12-01T17:00:00.000Z' },
    ...withoutParams(),
    subject: onceInSession,
  }),
};
