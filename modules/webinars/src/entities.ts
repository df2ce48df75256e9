import { Attendance } from './attendance/attendance.ts';
import { AttendeeEventRow } from './event/attendee-event.ts';
import { Interaction } from './interaction/interaction.ts';
import { Registration } from './registration/registration.ts';
import { PollCount } from './room/poll-count.ts';
import { Branch } from './segment/branch.ts';
import { Segment } from './segment/segment.ts';
import { Session } from './session/session.ts';
import { Webinar } from './webinar/webinar.ts';

export const webinarEntities = [
  Webinar,
  Session,
  Registration,
  AttendeeEventRow,
  Attendance,
  Interaction,
  PollCount,
  Segment,
  Branch,
];
