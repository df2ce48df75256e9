import { AttendeeEventRow } from './event/attendee-event.ts';
import { Interaction } from './interaction/interaction.ts';
import { Registration } from './registration/registration.ts';
import { Session } from './session/session.ts';
import { Webinar } from './webinar/webinar.ts';

export const webinarEntities = [Webinar, Session, Registration, AttendeeEventRow, Interaction];
