import { instant } from '@service/trpc';
import { z } from 'zod';
import { cancelReasons, recoverableStatuses, recoveryStates } from './recovery.ts';

const outage = { since: '2026-11-20T09:00:00.000Z', until: '2026-11-20T12:30:00.000Z' };
const counted = { total: 1840, isTotalCapped: false };

const period = {
  since: instant().describe('Deliveries made at this time or later.'),
  until: instant().describe('Deliveries made before this time.'),
};

const total = {
  total: z.number().int().describe('Deliveries that there were to send again.'),
  isTotalCapped: z
    .boolean()
    .describe('Whether there may be more: counting ends when 100,000 deliveries have been looked at.'),
};

/** What a recovery would send again. */
export const RecoveryPreviewOutput = z
  .object({ ...period, ...total })
  .meta({ examples: [{ ...outage, ...counted }] });

export const RecoveryOutput = z
  .object({
    id: z.uuid(),
    state: z.enum(recoveryStates),
    cancelReason: z.enum(cancelReasons).nullable().describe('Null unless it was cancelled.'),
    ...period,
    statuses: z.array(z.enum(recoverableStatuses)),
    eventTypes: z.array(z.string()).nullable().describe('Null for all.'),
    ...total,
    queued: z
      .number()
      .int()
      .describe(
        'Deliveries queued anew so far. In the end it may differ from `total`: what arrives meanwhile is left out, and what ' +
          'fails meanwhile is taken.',
      ),
    createdAt: instant(),
    finishedAt: instant().nullable(),
  })
  .meta({
    examples: [
      {
        id: '019aa2f4-6d1e-7c0b-a1d7-52c9f3b86e40',
        state: 'running',
        cancelReason: null,
        ...outage,
        statuses: ['failure'],
        eventTypes: null,
        ...counted,
        queued: 500,
        createdAt: outage.until,
        finishedAt: null,
      },
    ],
  });

export type RecoveryPreviewOutput = z.infer<typeof RecoveryPreviewOutput>;
export type RecoveryOutput = z.infer<typeof RecoveryOutput>;
