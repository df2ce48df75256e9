import { allSurfaces } from '@service/catalogue';
import * as z from 'zod/mini';
import { moment, optional, text, word } from '../../search-params.ts';
import { timeRangeNames, type TimeRange } from '../../time-ranges.ts';

export const defaultRange = 'last_24_hours' satisfies TimeRange;

export const ActivitySearch = z.pipe(
  z.object({
    surface: optional(z.enum(allSurfaces)),
    /** The last 24 hours when left out. */
    range: optional(z.enum(timeRangeNames)),
    /** A part of the histogram, instead of the range. ISO 8601; both or neither. */
    from: moment,
    to: moment,
    /** Calls of one key. */
    key: optional(z.guid()),
    status: optional(z.enum(['success', 'failure'])),
    /** Calls with this request id. */
    request: word,
    /** Calls that were refused with this error code. */
    code: optional(z.string().check(z.regex(/^[a-z_]{1,60}$/))),
    /** The call whose drawer is open. */
    call: text,
  }),
  z.transform(({ from, to, ...others }) => ({
    ...others,
    ...(from !== undefined && to !== undefined && from < to ? { from, to } : {}),
  })),
);

export type ActivitySearch = z.output<typeof ActivitySearch>;
