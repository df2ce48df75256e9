import type { PurchaseFacts, Touch } from '../credit.ts';

export const boughtAt = new Date('2026-11-20T12:00:00Z');

const unitSeconds: Record<string, number> = { days: 86_400, day: 86_400, h: 3600, min: 60, s: 1, ms: 0.001 };

/** Milliseconds of `30 days 1 s`. */
const lengthOf = (text: string): number =>
  [...text.matchAll(/(\d+) (\w+)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitSeconds[unit!]! * 1000,
    0,
  );

/** A time before the purchase. */
export const ago = (length: string): Date => new Date(boughtAt.getTime() - lengthOf(length));

/** A time after the purchase. */
export const later = (length: string): Date => new Date(boughtAt.getTime() + lengthOf(length));

const touch = (level: Touch['level'], webinarId: string, at: Date): Touch => ({
  level,
  at,
  registrationId: `place in ${webinarId}`,
  sessionId: `session of ${webinarId}`,
  webinarId,
  interactionId: null,
  utmSource: 'newsletter',
  isNamed: false,
});

export const registered = (webinarId: string, at: Date): Touch => touch('registered', webinarId, at);
export const joined = (webinarId: string, at: Date): Touch => touch('attended', webinarId, at);
export const clicked = (interactionId: string, webinarId: string, at: Date): Touch => ({
  ...touch('offer_click', webinarId, at),
  interactionId,
});

/** The click that the purchase names. */
export const named = (click: Touch): Touch => ({ ...click, isNamed: true });

export const titles = new Map([
  ['launch', 'Launch'],
  ['pricing', 'Pricing'],
  ['course', 'The course'],
  ['coaching', 'Coaching'],
]);

export const purchaseOf = (fields: Partial<PurchaseFacts> = {}): PurchaseFacts => ({
  id: 'purchase',
  email: 'ada@example.com',
  occurredAt: boughtAt,
  clickId: null,
  registrationId: null,
  ...fields,
});
