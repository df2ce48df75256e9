import type { ChangedOrEverything } from '@service/changes';
import { z } from 'zod';

/** A day. The changes of a longer time are not known. */
const ageMax = 86_400_000;

export const StreamInput = z.object({
  /** Milliseconds since the page began to read its records. */
  ageMs: z.number().int().min(0).max(ageMax).default(0),
  /** The id of the last message. The browser sends it when it connects again. */
  lastEventId: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});

export type StreamInput = z.output<typeof StreamInput>;

/**
 * `changed` lists topics whose records the page must read again. `ended` is the last message: `access` when the sign-in session
 * or the membership has ended, `replaced` when the member opened too many streams, `restart` when the process stops.
 */
export type StreamMessage = { changed: ChangedOrEverything } | { ended: 'access' | 'replaced' | 'restart' };
