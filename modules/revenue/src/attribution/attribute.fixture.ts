import { expect, test } from 'vitest';
import type { MatchKind, PurchaseFacts, Touch } from '../credit.ts';
import { attribute } from './attribute.ts';
import { explain } from './explain-credit.ts';

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

export interface Case {
  touches?: readonly Touch[];
  by?: MatchKind;
  purchase?: Partial<PurchaseFacts>;
  /** Of the workspace; 30 by default. */
  days?: number;
  /** Of webinars. */
  own?: Record<string, number>;
  isCut?: boolean;
  type?: string;
  says: readonly string[];
}

export const byEmail = 'The e-mail address of the purchase has a registration.';
export const thirtyDays = 'The attribution window is 30 days.';
export const clickFirst = 'An offer click counts before a joined session.';
export const stronger = 'An offer click or a joined session counts before a registration.';
export const tooLong = 'Not credited: everything that the buyer did was too long before the purchase.';
export const tooLate = 'Not credited: everything that the buyer did was after the purchase.';
export const onlyFive = 'Only touches up to 5 min after the purchase count.';
/** The sentence about the shortest window that would count. */
export const neededWindow = (days: number): string =>
  `An attribution window of ${days} days would have led to a credit.`;
export const wouldCount =
  'Something that they did up to 30 days before the purchase would have led to a credit.';
export const unknownBuyer =
  'Not credited: ada@example.com was registered for no webinar of this workspace at the time of the purchase.';
export const upToFive = 'Up to 5 min after the purchase count, because clocks differ.';

/**
 * One test for each case, by its name. Each compares the whole explanation, so it fails when another touch wins, when a touch that
 * lost has another reason, and when a sentence changes.
 */
export const testCases = (cases: Readonly<Record<string, Case>>): void =>
  test.each(Object.entries(cases))(
    '%s',
    (_name, { touches, by, purchase, days, own, isCut = false, type, says }) => {
      const facts = purchaseOf(purchase);
      const buyer = touches && { matchedBy: by ?? ('email' as const), touches, isCut };
      const windows = { defaultDays: days ?? 30, daysByWebinar: new Map(Object.entries(own ?? {})) };
      const explained = (given: typeof buyer) =>
        explain(attribute(facts, given, windows), {
          purchasedAt: facts.occurredAt,
          type: type ?? 'purchase',
          email: facts.email,
          titles,
        });
      expect(explained(buyer)).toEqual(says);
      // The database returns touches in another order each time.
      expect(explained(buyer && { ...buyer, touches: buyer.touches.toReversed() })).toEqual(says);
    },
  );
