// Fields that several providers have.
import { isId } from '@service/database';
import { storable } from '@service/trpc/fields';
import { z } from 'zod';
import { isCurrency } from '../ledger/money.ts';

const earliestMs = Date.UTC(2000, 0, 1);
const aheadMaxMs = 24 * 60 * 60 * 1000;

/** True from the year 2000 to one day ahead. A day, because clocks of senders may be fast or in the wrong zone. */
export const isPlausibleTime = (atMs: number, now: Date): boolean =>
  atMs >= earliestMs && atMs <= now.getTime() + aheadMaxMs;

export const plausibleTimeText = 'Not before the year 2000 and at most one day in the future.';

/** An id of a provider. Postgres cannot store every text of JSON. */
export const idText = storable(z.string().min(1, 'Must not be empty.').max(255, 'At most 255 characters.'));

/** A code of ISO 4217, also a former one, in upper case. */
export const currencyText = z
  .string()
  .regex(/^[A-Za-z]{3}$/, { abort: true, error: 'Three letters, such as EUR.' })
  .toUpperCase()
  .refine(isCurrency, 'Not a currency of ISO 4217.');

/** An e-mail address in lower case, as registrations have it. */
export const emailText = z.string().trim().toLowerCase().max(254).pipe(z.email('Not an e-mail address.'));

/** The id in a text, in lower case. Null for any other value: buyers can change the `svc_click` of a link. */
export const toId = (text: unknown): string | null =>
  typeof text === 'string' && isId(text.trim()) ? text.trim().toLowerCase() : null;
