import type { z } from 'zod';
import { computeSlots, type Slot } from './offered-slots.ts';
import type { PreviewSlotsInput } from './schemas.ts';

const slotsMax = 20;

/**
 * The starts that a schedule would offer, soonest first, without the database: sessions that were moved or cancelled are not
 * considered. The search is limited to five years, as for every schedule.
 */
export const previewSlots = (planned: z.output<typeof PreviewSlotsInput>, now: Date): Slot[] =>
  computeSlots(planned, now.getTime(), slotsMax);
