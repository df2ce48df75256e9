import { id, instant, pageInput, text } from '@service/trpc';
import { z } from 'zod';
import { sessionStatuses } from '../session/session.ts';
import { moment, timezone } from '../time-input.ts';
import { webinarStatuses } from './webinar.ts';

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
