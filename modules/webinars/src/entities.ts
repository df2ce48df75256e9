import { AttendeeEventRow } from './attendee-event.ts';
import { Registration } from './registration.ts';
import { Session } from './session.ts';
import { Webinar } from './webinar.ts';

export const webinarEntities = [Webinar, Session, Registration, AttendeeEventRow];
