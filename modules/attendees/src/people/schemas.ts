import { id, instant, pageInput, text } from '@service/trpc';
import { z } from 'zod';
import { RegistrantAttendanceOutput } from '../attendance/read-attendances.ts';
import { registrationSources, registrationStatuses } from '../entities/registration-sets.ts';
import { RegistrationRevenue } from '../registration/revenue-reader.ts';
import { EventOutput } from '../registration/schemas.ts';

/** Registrations of one person that are counted, and those of them that are read. */
export const countedMax = 1000;
export const registrationsMax = 100;

/** Parts of the video in `watchedParts`. */
export const partsMax = 60;

const count = () => z.number().int();

export const ListPeopleInput = z.strictObject({
  /** Beginnings of words of the address, or of the name in the newest registration. */
  q: text(200).optional(),
  ...pageInput,
});

/** Everyone with one e-mail address, as the list of people shows them. */
export const PersonOutput = z.object({
  /** The newest registration of the address. It names the person in URLs, which have no address. */
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  /** Up to `countedMax`. */
  registrations: count(),
  /** Registrations with the status `attending` or `attended`. */
  attended: count(),
  registeredAt: instant(),
});

/** Any registration of the person. */
export const PersonInput = z.strictObject({ registrationId: id('registration') });

export const PersonRegistrationOutput = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  webinarTitle: z.string(),
  /** Null for a webinar that was deleted: it has no page. */
  webinarStatus: z.enum(['draft', 'published', 'archived']).nullable(),
  timezone: z.string(),
  sessionTime: instant(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  status: z.enum(registrationStatuses),
  source: z.enum(registrationSources),
  registeredAt: instant(),
  attendance: RegistrantAttendanceOutput.nullable(),
  /** The percent that was watched of each of equal parts of the video, at most `partsMax` of them. */
  watchedParts: z.array(count()),
  revenue: z.array(RegistrationRevenue).optional(),
});

export const PersonDetailOutput = z.object({
  email: z.string(),
  /** All names of the registrations below, the newest first. */
  names: z.array(z.string()),
  /** Newest first, at most `registrationsMax`. */
  registrations: z.array(PersonRegistrationOutput),
  /** There are more registrations. */
  isMore: z.boolean(),
});

export const ListPersonEventsInput = z.strictObject({ ...PersonInput.shape, ...pageInput });

export const PersonEventOutput = EventOutput.extend({ webinarId: z.uuid(), registrationId: z.uuid() });

/** Registrations of 30 days and of the 30 days before. */
export const TrendOutput = z.object({
  /** Registrations of one time are counted up to this number. */
  countedMax: count(),
  current: z.object({ registrations: count(), attended: count(), noShow: count() }),
  former: z.object({ registrations: count(), attended: count(), noShow: count() }),
});
