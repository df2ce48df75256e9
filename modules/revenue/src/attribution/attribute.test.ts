// Each case has the whole explanation of its credit, so a test fails when another touch wins, when a touch that lost has another
// reason, and when a sentence changes.
import { expect, test } from 'vitest';
import type { MatchKind, PurchaseFacts, Touch } from '../credit.ts';
import { attribute, unattributed } from './attribute.ts';
import {
  ago,
  boughtAt,
  clicked,
  joined,
  later,
  named,
  purchaseOf,
  registered,
  titles,
} from './attribute.fixture.ts';
import { explain } from './explain.ts';
import { nothingConsidered } from '../credit.ts';

interface Case {
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

const byEmail = 'The e-mail address of the purchase has a registration.';
const thirtyDays = 'The attribution window is 30 days.';
const clickFirst = 'An offer click counts before a joined session.';
const stronger = 'An offer click or a joined session counts before a registration.';
const tooLong = 'Not credited: everything that the buyer did was too long before the purchase.';
const tooLate = 'Not credited: everything that the buyer did was after the purchase.';
const onlyFive = 'Only touches up to 5 min after the purchase count.';
const upToFive = 'Up to 5 min after the purchase count, because clocks differ.';

const cases: Record<string, Case> = {
  'a registration alone gets the credit': {
    touches: [registered('launch', ago('1 day'))],
    says: [
      byEmail,
      'Credited: registered for “Launch” on 2026-11-19 at 12:00:00 UTC, 1 day before the purchase.',
      thirtyDays,
    ],
  },
  'a joined session counts before its registration': {
    touches: [registered('launch', ago('1 day')), joined('launch', ago('2 h'))],
    says: [
      byEmail,
      'Credited: joined “Launch” on 2026-11-20 at 10:00:00 UTC, 2 h before the purchase.',
      thirtyDays,
      `Not credited: registered for “Launch” on 2026-11-19 at 12:00:00 UTC, 1 day before the purchase. ${stronger}`,
    ],
  },
  'an offer click counts before everything else': {
    touches: [
      registered('launch', ago('1 day')),
      joined('launch', ago('2 h')),
      clicked('course', 'launch', ago('3 min 20 s')),
    ],
    says: [
      byEmail,
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-20 at 11:56:40 UTC, 3 min 20 s before the purchase.',
      thirtyDays,
      `Not credited: joined “Launch” on 2026-11-20 at 10:00:00 UTC, 2 h before the purchase. ${clickFirst}`,
      `Not credited: registered for “Launch” on 2026-11-19 at 12:00:00 UTC, 1 day before the purchase. ${stronger}`,
    ],
  },
  'an old click in one webinar counts before a new registration for another': {
    touches: [clicked('course', 'launch', ago('20 days')), registered('pricing', ago('1 h'))],
    says: [
      byEmail,
      'Credited: clicked the offer “The course” in “Launch” on 2026-10-31 at 12:00:00 UTC, 20 days before the purchase.',
      thirtyDays,
      `Not credited: registered for “Pricing” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase. ${stronger}`,
    ],
  },
  'an old click in one webinar counts before a session of another that was joined later': {
    touches: [clicked('course', 'launch', ago('2 days')), joined('pricing', ago('1 h'))],
    says: [
      byEmail,
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-18 at 12:00:00 UTC, 2 days before the purchase.',
      thirtyDays,
      `Not credited: joined “Pricing” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase. ${clickFirst}`,
    ],
  },
  'an old join counts before a new registration': {
    touches: [joined('launch', ago('29 days')), registered('pricing', ago('1 min'))],
    says: [
      byEmail,
      'Credited: joined “Launch” on 2026-10-22 at 12:00:00 UTC, 29 days before the purchase.',
      thirtyDays,
      `Not credited: registered for “Pricing” on 2026-11-20 at 11:59:00 UTC, 1 min before the purchase. ${stronger}`,
    ],
  },
  'of two clicks in one webinar the last one counts': {
    touches: [clicked('coaching', 'launch', ago('2 h')), clicked('course', 'launch', ago('1 h'))],
    says: [
      byEmail,
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase.',
      thirtyDays,
      'Not credited: clicked the offer “Coaching” in “Launch” on 2026-11-20 at 10:00:00 UTC, 2 h before the purchase. The last one counts.',
    ],
  },
  'of clicks in two webinars the last one counts': {
    touches: [clicked('course', 'launch', ago('1 h')), clicked('coaching', 'pricing', ago('59 min 59 s'))],
    says: [
      byEmail,
      'Credited: clicked the offer “Coaching” in “Pricing” on 2026-11-20 at 11:00:01 UTC, 59 min 59 s before the purchase.',
      thirtyDays,
      'Not credited: clicked the offer “The course” in “Launch” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase. The last one counts.',
    ],
  },
  'of joins of two webinars the last one counts': {
    touches: [joined('launch', ago('3 days')), joined('pricing', ago('2 days'))],
    says: [
      byEmail,
      'Credited: joined “Pricing” on 2026-11-18 at 12:00:00 UTC, 2 days before the purchase.',
      thirtyDays,
      'Not credited: joined “Launch” on 2026-11-17 at 12:00:00 UTC, 3 days before the purchase. The last one counts.',
    ],
  },
  'of registrations for two webinars the last one counts': {
    touches: [registered('pricing', ago('2 days')), registered('launch', ago('3 days'))],
    says: [
      byEmail,
      'Credited: registered for “Pricing” on 2026-11-18 at 12:00:00 UTC, 2 days before the purchase.',
      thirtyDays,
      'Not credited: registered for “Launch” on 2026-11-17 at 12:00:00 UTC, 3 days before the purchase. The last one counts.',
    ],
  },
  'the click that the purchase names counts before a later one': {
    by: 'click_id',
    touches: [named(clicked('course', 'launch', ago('2 h'))), clicked('coaching', 'pricing', ago('1 h'))],
    says: [
      'The purchase has the id of a click on a link of this workspace.',
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-20 at 10:00:00 UTC, 2 h before the purchase.',
      thirtyDays,
      'The purchase has the id of this click.',
      'Not credited: clicked the offer “Coaching” in “Pricing” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase. The purchase has the id of another click.',
    ],
  },
  'the named click counts before an earlier one too': {
    by: 'click_id',
    touches: [named(clicked('course', 'launch', ago('1 h'))), clicked('coaching', 'pricing', ago('2 h'))],
    says: [
      'The purchase has the id of a click on a link of this workspace.',
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase.',
      thirtyDays,
      'The purchase has the id of this click.',
      'Not credited: clicked the offer “Coaching” in “Pricing” on 2026-11-20 at 10:00:00 UTC, 2 h before the purchase. The last one counts.',
    ],
  },
  'a named click outside its window does not count': {
    by: 'click_id',
    touches: [named(clicked('course', 'launch', ago('31 days'))), clicked('coaching', 'pricing', ago('1 h'))],
    says: [
      'The purchase has the id of a click on a link of this workspace.',
      'Credited: clicked the offer “Coaching” in “Pricing” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase.',
      thirtyDays,
      `Not credited: clicked the offer “The course” in “Launch” on 2026-10-20 at 12:00:00 UTC, 31 days before the purchase. ${thirtyDays}`,
    ],
  },
  'a named click long after the purchase does not count': {
    by: 'click_id',
    touches: [named(clicked('course', 'launch', later('1 h'))), registered('launch', ago('1 h'))],
    says: [
      'The purchase has the id of a click on a link of this workspace.',
      'Credited: registered for “Launch” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase.',
      thirtyDays,
      `Not credited: clicked the offer “The course” in “Launch” on 2026-11-20 at 13:00:00 UTC, 1 h after the purchase. ${onlyFive}`,
    ],
  },
  'a click id finds a person who bought with another e-mail address': {
    by: 'click_id',
    purchase: { email: 'ada@work.example' },
    touches: [joined('pricing', ago('1 h')), named(clicked('course', 'launch', ago('1 day')))],
    says: [
      'The purchase has the id of a click on a link of this workspace.',
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-19 at 12:00:00 UTC, 1 day before the purchase.',
      thirtyDays,
      'The purchase has the id of this click.',
      `Not credited: joined “Pricing” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase. ${clickFirst}`,
    ],
  },
  'a registration id finds the person, and the last touch counts': {
    by: 'registration_id',
    purchase: { email: null },
    touches: [registered('launch', ago('1 h')), joined('pricing', ago('1 day'))],
    says: [
      'The purchase has the id of a registration.',
      'Credited: joined “Pricing” on 2026-11-19 at 12:00:00 UTC, 1 day before the purchase.',
      thirtyDays,
      `Not credited: registered for “Launch” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase. ${stronger}`,
    ],
  },
  'a touch exactly 30 days before the purchase counts': {
    touches: [joined('launch', ago('30 days'))],
    says: [
      byEmail,
      'Credited: joined “Launch” on 2026-10-21 at 12:00:00 UTC, 30 days before the purchase.',
      thirtyDays,
    ],
  },
  'a touch 999 ms earlier counts, because providers count in seconds': {
    touches: [joined('launch', ago('30 days 999 ms'))],
    says: [
      byEmail,
      'Credited: joined “Launch” on 2026-10-21 at 11:59:59 UTC, 30 days before the purchase.',
      thirtyDays,
    ],
  },
  'a touch one second before the window does not count': {
    touches: [joined('launch', ago('30 days 1 s'))],
    says: [
      tooLong,
      `Not credited: joined “Launch” on 2026-10-21 at 11:59:59 UTC, 30 days 1 s before the purchase. ${thirtyDays}`,
    ],
  },
  'a touch in the first second of the window counts': {
    touches: [clicked('course', 'launch', ago('29 days 23 h 59 min 59 s'))],
    says: [
      byEmail,
      'Credited: clicked the offer “The course” in “Launch” on 2026-10-21 at 12:00:01 UTC, 29 days 23 h 59 min 59 s before the purchase.',
      thirtyDays,
    ],
  },
  'a workspace with 7 days counts the last second of the seventh day': {
    days: 7,
    touches: [registered('launch', ago('7 days'))],
    says: [
      byEmail,
      'Credited: registered for “Launch” on 2026-11-13 at 12:00:00 UTC, 7 days before the purchase.',
      'The attribution window is 7 days.',
    ],
  },
  'a workspace with 90 days does not count one second more': {
    days: 90,
    touches: [registered('launch', ago('90 days 1 s'))],
    says: [
      tooLong,
      'Not credited: registered for “Launch” on 2026-08-22 at 11:59:59 UTC, 90 days 1 s before the purchase. The attribution window is 90 days.',
    ],
  },
  'the own window of a webinar replaces a longer one of the workspace': {
    own: { launch: 1 },
    touches: [clicked('course', 'launch', ago('1 day 1 s'))],
    says: [
      tooLong,
      'Not credited: clicked the offer “The course” in “Launch” on 2026-11-19 at 11:59:59 UTC, 1 day 1 s before the purchase. The attribution window is 1 day.',
    ],
  },
  'the own window of a webinar ends with its last second too': {
    own: { launch: 1 },
    touches: [clicked('course', 'launch', ago('1 day'))],
    says: [
      byEmail,
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-19 at 12:00:00 UTC, 1 day before the purchase.',
      'The attribution window is 1 day.',
    ],
  },
  'the own window of a webinar replaces a shorter one of the workspace': {
    days: 1,
    own: { launch: 60 },
    touches: [joined('launch', ago('59 days')), joined('pricing', ago('2 days'))],
    says: [
      byEmail,
      'Credited: joined “Launch” on 2026-09-22 at 12:00:00 UTC, 59 days before the purchase.',
      'The attribution window is 60 days.',
      'Not credited: joined “Pricing” on 2026-11-18 at 12:00:00 UTC, 2 days before the purchase. The attribution window is 1 day.',
    ],
  },
  'a weak touch inside its window counts before a strong one outside its own': {
    own: { launch: 7 },
    touches: [clicked('course', 'launch', ago('8 days')), registered('pricing', ago('29 days'))],
    says: [
      byEmail,
      'Credited: registered for “Pricing” on 2026-10-22 at 12:00:00 UTC, 29 days before the purchase.',
      thirtyDays,
      'Not credited: clicked the offer “The course” in “Launch” on 2026-11-12 at 12:00:00 UTC, 8 days before the purchase. The attribution window is 7 days.',
    ],
  },
  'a touch at the same second counts': {
    touches: [clicked('course', 'launch', boughtAt)],
    says: [
      byEmail,
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-20 at 12:00:00 UTC, at the time of the purchase.',
      thirtyDays,
    ],
  },
  'a touch exactly five minutes after the purchase counts': {
    touches: [registered('launch', later('5 min'))],
    says: [
      byEmail,
      'Credited: registered for “Launch” on 2026-11-20 at 12:05:00 UTC, 5 min after the purchase.',
      upToFive,
    ],
  },
  'a touch five minutes and a second after the purchase does not count': {
    touches: [registered('launch', later('5 min 1 s'))],
    says: [
      tooLate,
      `Not credited: registered for “Launch” on 2026-11-20 at 12:05:01 UTC, 5 min 1 s after the purchase. ${onlyFive}`,
    ],
  },
  'a person who registers the next day bought before': {
    touches: [registered('launch', later('1 day'))],
    says: [
      tooLate,
      `Not credited: registered for “Launch” on 2026-11-21 at 12:00:00 UTC, 1 day after the purchase. ${onlyFive}`,
    ],
  },
  'a late registration does not take the credit of an earlier one': {
    touches: [registered('pricing', later('2 h')), registered('launch', ago('2 h'))],
    says: [
      byEmail,
      'Credited: registered for “Launch” on 2026-11-20 at 10:00:00 UTC, 2 h before the purchase.',
      thirtyDays,
      `Not credited: registered for “Pricing” on 2026-11-20 at 14:00:00 UTC, 2 h after the purchase. ${onlyFive}`,
    ],
  },
  'a click two minutes after the purchase counts before the join': {
    touches: [joined('launch', ago('1 h')), clicked('course', 'launch', later('2 min'))],
    says: [
      byEmail,
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-20 at 12:02:00 UTC, 2 min after the purchase.',
      upToFive,
      `Not credited: joined “Launch” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase. ${clickFirst}`,
    ],
  },
  'with early and late touches a longer window is the reason': {
    touches: [registered('launch', ago('40 days')), registered('pricing', later('1 day'))],
    says: [
      tooLong,
      `Not credited: registered for “Pricing” on 2026-11-21 at 12:00:00 UTC, 1 day after the purchase. ${onlyFive}`,
      `Not credited: registered for “Launch” on 2026-10-11 at 12:00:00 UTC, 40 days before the purchase. ${thirtyDays}`,
    ],
  },
  'times with offsets are compared as instants': {
    purchase: { occurredAt: new Date('2026-11-21T02:00:00+14:00') },
    days: 1,
    touches: [joined('launch', new Date('2026-11-19T01:00:00-11:00'))],
    says: [
      byEmail,
      'Credited: joined “Launch” on 2026-11-19 at 12:00:00 UTC, 1 day before the purchase.',
      'The attribution window is 1 day.',
    ],
  },
  'a day of a window has 24 hours when the clocks change': {
    // In Berlin both are at noon, 30 days apart, with the end of summer time between them.
    purchase: { occurredAt: new Date('2026-11-20T12:00:00+01:00') },
    touches: [joined('launch', new Date('2026-10-21T12:00:00+02:00'))],
    says: [
      tooLong,
      `Not credited: joined “Launch” on 2026-10-21 at 10:00:00 UTC, 30 days 1 h before the purchase. ${thirtyDays}`,
    ],
  },
  'a leap day is a day': {
    purchase: { occurredAt: new Date('2028-03-01T12:00:00Z') },
    days: 1,
    touches: [joined('launch', new Date('2028-02-28T12:00:00Z'))],
    says: [
      tooLong,
      'Not credited: joined “Launch” on 2028-02-28 at 12:00:00 UTC, 2 days before the purchase. The attribution window is 1 day.',
    ],
  },
  'a purchase with nothing to match says so': {
    purchase: { email: null },
    says: ['Not credited: the purchase has no e-mail address, click id or registration id.'],
  },
  'a purchase of an unknown person says so': {
    says: ['Not credited: no registration matches the purchase.'],
  },
  'a purchase with an unknown click id and no address says that nothing matches': {
    purchase: { email: null, clickId: '019aa2e0-1f43-7a51-9c1d-6f0d2b8e4a17' },
    says: ['Not credited: no registration matches the purchase.'],
  },
  'a refund has the credit of its purchase, and times are those of the purchase': {
    type: 'refund',
    touches: [clicked('course', 'launch', ago('1 h'))],
    says: [
      'This event has the credit of its purchase.',
      byEmail,
      'Credited: clicked the offer “The course” in “Launch” on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase.',
      thirtyDays,
    ],
  },
  'a chargeback of an unattributed purchase says why that has no credit': {
    type: 'chargeback',
    touches: [joined('launch', ago('45 days'))],
    says: [
      'This event has the credit of its purchase.',
      tooLong,
      `Not credited: joined “Launch” on 2026-10-06 at 12:00:00 UTC, 45 days before the purchase. ${thirtyDays}`,
    ],
  },
  'a webinar and an offer that are gone have no titles': {
    touches: [clicked('deleted offer', 'deleted webinar', ago('1 h'))],
    says: [
      byEmail,
      'Credited: clicked an offer in a webinar on 2026-11-20 at 11:00:00 UTC, 1 h before the purchase.',
      thirtyDays,
    ],
  },
  'a person with more than 200 registrations is compared with the newest ones': {
    isCut: true,
    touches: [registered('launch', ago('1 day'))],
    says: [
      byEmail,
      'Credited: registered for “Launch” on 2026-11-19 at 12:00:00 UTC, 1 day before the purchase.',
      thirtyDays,
      'Only the newest 200 registrations of the buyer were compared.',
    ],
  },
};

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
        titles,
      });
    expect(explained(buyer)).toEqual(says);
    // The database returns touches in another order each time.
    expect(explained(buyer && { ...buyer, touches: buyer.touches.toReversed() })).toEqual(says);
  },
);

test('at least 40 cases are written down', () => {
  expect(Object.keys(cases).length).toBeGreaterThanOrEqual(40);
});

test('a refund without its purchase says that the purchase has not arrived', () => {
  const credit = unattributed('unpaired', 30, nothingConsidered);
  expect(explain(credit, { purchasedAt: boughtAt, type: 'refund', titles })).toEqual([
    'Not credited yet: the purchase of this event has not arrived.',
  ]);
});

test('of many touches 20 are kept, the strongest and newest first, and the others are counted', () => {
  const touches = Array.from({ length: 30 }, (_, index) => registered(`webinar ${index}`, ago(`${index} h`)));
  const { considered } = attribute(
    purchaseOf(),
    { matchedBy: 'email', touches, isCut: false },
    { defaultDays: 30, daysByWebinar: new Map() },
  );
  expect(considered.touches.map(({ webinarId }) => webinarId)).toEqual(
    Array.from({ length: 20 }, (_, index) => `webinar ${index + 1}`),
  );
  expect(considered.moreCount).toBe(9);
});

test('simultaneous touches give the same credit in any order', () => {
  const touches = ['a', 'b', 'c'].map((name) => clicked(`offer ${name}`, name, ago('1 h')));
  const winner = (given: readonly Touch[]) =>
    attribute(
      purchaseOf(),
      { matchedBy: 'email', touches: given, isCut: false },
      { defaultDays: 30, daysByWebinar: new Map() },
    ).interactionId;
  expect(winner(touches)).toBe(winner(touches.toReversed()));
});

test('a credit names the registration, session and source of the touch that won', () => {
  const credit = attribute(
    purchaseOf(),
    { matchedBy: 'email', touches: [clicked('course', 'launch', ago('1 h'))], isCut: false },
    { defaultDays: 30, daysByWebinar: new Map([['launch', 14]]) },
  );
  expect(credit).toEqual({
    level: 'offer_click',
    matchedBy: 'email',
    reason: null,
    registrationId: 'place in launch',
    sessionId: 'session of launch',
    webinarId: 'launch',
    interactionId: 'course',
    utmSource: 'newsletter',
    touchAt: ago('1 h'),
    windowDays: 14,
    considered: nothingConsidered,
  });
});
