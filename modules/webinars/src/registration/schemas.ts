import { id, instant, pageInput, text } from '@service/trpc';
import { z } from 'zod';
import { moment } from '../time-input.ts';
import { registrationSources } from './registration.ts';

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
