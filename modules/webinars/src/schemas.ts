import { id, instant, pageInput, text } from '@service/trpc';
import { z } from 'zod';
import { registrationSources } from './registration.ts';
import { sessionStatuses } from './session.ts';
import { webinarStatuses } from './webinar.ts';

const timezone = z
  .string()
  .max(64)
  .refine(isTimezone, 'Not an IANA time zone such as Europe/Berlin.')
  .describe('An IANA time zone.');

/** An instant as callers may write it: any UTC offset. Years that no calendar of ours reaches are refused. */
const moment = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'An ISO 8601 time with its offset, such as 2026-12-01T09:00:00Z.',
  })
  .refine((text) => /^20\d\d-/.test(text), 'Must lie in this century.');

export const WebinarInput = z.strictObject({ webinarId: id('webinar') });

export const ListWebinarsInput = z.strictObject(pageInput);

export const CreateWebinarInput = z.strictObject({
  title: text(200).describe('Internal title; webhooks carry it.'),
  description: text(5000).nullable().default(null),
  timezone: timezone.default('UTC'),
  durationSeconds: z.number().int().min(60).max(86_400).default(3600),
  startsAt: moment.describe('When its session starts, ISO 8601. Must be in the future.'),
});

export const WebinarOutput = z.object({
  id: z.uuid(),
  title: z.string(),
  description: z.string().nullable(),
  timezone: z.string(),
  durationSeconds: z.number().int(),
  status: z.enum(webinarStatuses),
  nextSession: z
    .object({ id: z.uuid(), startsAt: instant(), endsAt: instant(), status: z.enum(sessionStatuses) })
    .nullable()
    .describe('The session that can be booked; its startsAt is the sessionTime of a registration.'),
  publishedAt: instant().nullable(),
  createdAt: instant(),
  updatedAt: instant(),
});

const utmText = text(200).nullable().default(null);

export const CreateRegistrationInput = z.strictObject({
  webinarId: id('webinar'),
  name: text(200),
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(254)
    .pipe(z.email('Not an e-mail address.'))
    .describe('Stored in lower case.'),
  sessionTime: moment.describe('The start of the session to book, ISO 8601.'),
  utm: z
    .strictObject({ source: utmText, medium: utmText, campaign: utmText })
    .prefault({})
    .describe('Where the registrant came from.'),
});

export const ListRegistrationsInput = z.strictObject({ webinarId: id('webinar'), ...pageInput });

export const RegistrationInput = z.strictObject({
  webinarId: id('webinar'),
  registrationId: id('registration'),
});

export const RegistrationOutput = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  sessionId: z.uuid(),
  name: z.string(),
  email: z.string(),
  sessionTime: instant(),
  utm: z.object({
    source: z.string().nullable(),
    medium: z.string().nullable(),
    campaign: z.string().nullable(),
  }),
  source: z.enum(registrationSources),
  registeredAt: instant(),
});

function isTimezone(name: string): boolean {
  try {
    return (
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' &&
      !/^[+-]/.test(name)
    );
  } catch {
    return false;
  }
}
