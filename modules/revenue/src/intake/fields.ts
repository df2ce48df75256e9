// Fields that several providers have.
import { z } from 'zod';

const earliestMs = Date.UTC(2000, 0, 1);
const aheadMaxMs = 24 * 60 * 60 * 1000;

/** True from the year 2000 to one day ahead. A day, because clocks of senders may be fast or in the wrong zone. */
export const isPlausibleTime = (atMs: number, now: Date): boolean =>
  atMs >= earliestMs && atMs <= now.getTime() + aheadMaxMs;

export const plausibleTimeText = 'Not before the year 2000 and at most one day in the future.';

/** An e-mail address in lower case, as registrations have it. */
export const emailText = z.string().trim().toLowerCase().max(254).pipe(z.email('Not an e-mail address.'));

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id in a text, in lower case. Null for any other value: buyers can change the `svc_click` of a link. */
export const toId = (text: unknown): string | null =>
  typeof text === 'string' && uuid.test(text.trim()) ? text.trim().toLowerCase() : null;
