// Cases of windows, to the second, and of clocks.
import {
  ago,
  boughtAt,
  byEmail,
  clicked,
  clickFirst,
  joined,
  later,
  onlyFive,
  registered,
  testCases,
  thirtyDays,
  tooLate,
  tooLong,
  wouldCount,
  neededWindow,
  upToFive,
} from './attribute.fixture.ts';

testCases({
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
      neededWindow(60),
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
      'The longest attribution window is 90 days.',
      'Not credited: registered for “Launch” on 2026-08-22 at 11:59:59 UTC, 90 days 1 s before the purchase. The attribution window is 90 days.',
    ],
  },
  'the own window of a webinar replaces a longer one of the workspace': {
    own: { launch: 1 },
    touches: [clicked('course', 'launch', ago('1 day 1 s'))],
    says: [
      tooLong,
      neededWindow(7),
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
      wouldCount,
      `Not credited: registered for “Launch” on 2026-11-20 at 12:05:01 UTC, 5 min 1 s after the purchase. ${onlyFive}`,
    ],
  },
  'a person who registers the next day bought before': {
    touches: [registered('launch', later('1 day'))],
    says: [
      tooLate,
      wouldCount,
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
      neededWindow(60),
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
      neededWindow(60),
      `Not credited: joined “Launch” on 2026-10-21 at 10:00:00 UTC, 30 days 1 h before the purchase. ${thirtyDays}`,
    ],
  },
  'a leap day is a day': {
    purchase: { occurredAt: new Date('2028-03-01T12:00:00Z') },
    days: 1,
    touches: [joined('launch', new Date('2028-02-28T12:00:00Z'))],
    says: [
      tooLong,
      neededWindow(7),
      'Not credited: joined “Launch” on 2028-02-28 at 12:00:00 UTC, 2 days before the purchase. The attribution window is 1 day.',
    ],
  },
});
