// Cases of persons and touches. Those of times and windows are in attribute-times.test.ts.
import { expect, test } from 'vitest';
import { nothingConsidered, type Touch } from '../credit.ts';
import { attribute, unattributed } from './attribute.ts';
import {
  ago,
  boughtAt,
  byEmail,
  clicked,
  clickFirst,
  joined,
  later,
  named,
  onlyFive,
  purchaseOf,
  registered,
  stronger,
  testCases,
  thirtyDays,
  titles,
  tooLong,
  wouldCount,
  unknownBuyer,
  neededWindow,
} from './attribute.fixture.ts';
import { explain } from './explain-credit.ts';

testCases({
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
  'a purchase with nothing to match says so': {
    purchase: { email: null },
    says: [
      'Not credited: the purchase has no e-mail address, click id or registration id.',
      'One of them would have led to the buyer.',
    ],
  },
  'a purchase of an unknown person says so': {
    says: [unknownBuyer, wouldCount],
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
      neededWindow(60),
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
});

test('a refund without its purchase says that the purchase has not arrived', () => {
  const credit = unattributed('unpaired', 30, nothingConsidered);
  expect(explain(credit, { purchasedAt: boughtAt, type: 'refund', email: null, titles })).toEqual([
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
    renewalOf: null,
    sessionId: 'session of launch',
    webinarId: 'launch',
    interactionId: 'course',
    utmSource: 'newsletter',
    touchAt: ago('1 h'),
    windowDays: 14,
    considered: nothingConsidered,
  });
});
