import { attendeeErrors, findAttendees, type Attendee } from '@service/attendees';
import type { AccountReader } from '@service/database';
import { findWebinar, type Webinar } from '@service/webinars';

/** A registration of a webinar. Throws webinar_not_found, registration_not_found. */
export async function findAttendee(
  reader: AccountReader,
  { webinarId, registrationId }: { webinarId: string; registrationId: string },
): Promise<{ attendee: Attendee; webinar: Readonly<Webinar> }> {
  const webinar = await findWebinar(reader, webinarId);
  const [attendee] = await findAttendees(reader, [registrationId]);
  if (attendee?.registration.webinarId !== webinar.id) throw attendeeErrors.registration_not_found();
  return { attendee, webinar };
}
