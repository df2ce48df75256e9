import type { AttendeeEventType } from '@service/attendees';
import { adaptiveEvents } from './adaptive-events.ts';
import { attendanceEvents } from './attendance-events.ts';
import { chatEvents } from './chat-events.ts';
import type { EventTypeRecord } from './define-event-type.ts';
import { interactionEvents } from './interaction-events.ts';
import { revenueEvents } from './revenue-events.ts';
import { watchEvents } from './watch-events.ts';

/** The events that attendees publishes. A type without a record does not compile. */
export const attendeeEvents = {
  ...attendanceEvents,
  ...watchEvents,
  ...interactionEvents,
  ...chatEvents,
  ...adaptiveEvents,
  ...revenueEvents,
} satisfies { [Type in AttendeeEventType]: EventTypeRecord<Type> };
