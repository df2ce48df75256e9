// Results as texts, rows and curves. Percentages have one decimal place, as the API gives them.
import { formatCount, formatDuration } from '../../../format.ts';
import { formatMoney } from '../../../money.ts';
import { formatPosition } from '../../../time-text.ts';
import type { SessionAnalytics } from '../../../trpc.ts';
import { typeLooks } from '../interactions/interaction-texts.ts';
import type { Bar } from './bars.tsx';
import type { Cell } from '../../../csv.ts';

export interface Curve {
  name: string;
  values: readonly number[];
}

/** An interaction on the axis of the video. */
export interface Mark {
  number: number;
  atSeconds: number;
}

export const percentText = (percent: number | null): string => (percent === null ? '–' : `${percent} %`);

/** "64 (53.3 % of registered)" */
const shareText = (count: number, percent: number | null, whole: string): string =>
  percent === null ? formatCount(count) : `${formatCount(count)} (${percent} % of ${whole})`;

interface Step extends Bar {
  percent: number | null;
  whole: string;
}

/** The steps from registration to purchase. */
export function stepsOf(results: SessionAnalytics): Step[] {
  const { registered, joined, attended, completed, clicked, revenue } = results;
  const step = (name: string, count: number, percent: number | null, whole: string): Step => ({
    name,
    count,
    percent,
    whole,
    text: shareText(count, percent, whole),
  });
  const joinedPercent = registered === 0 ? null : Math.round((joined / registered) * 1000) / 10;
  return [
    step('Registered', registered, null, ''),
    step('Joined', joined, joinedPercent, 'registered'),
    step('Attended', attended, results.attendancePercent, 'registered'),
    step('Completed the video', completed, results.completionPercent, 'attended'),
    step('Clicked an offer or CTA', clicked, results.clickPercent, 'attended'),
    ...(revenue ? [step('Bought', revenue.buyers, null, '')] : []),
  ];
}

/** Names and values above the charts. */
export function factsOf(results: SessionAnalytics) {
  const { averageWatchedSeconds: seconds, revenue } = results;
  return [
    ['No-shows', shareText(results.noShow, results.noShowPercent, 'registered')],
    ['Cancelled', formatCount(results.cancelled)],
    [
      'Watched on average',
      seconds === null ? '–' : `${formatDuration(seconds)} (${percentText(results.averageWatchedPercent)})`,
    ],
    ['Took part', shareText(results.engaged, results.engagementPercent, 'attended')],
    ['Watched a replay', formatCount(results.watchedReplay)],
    ...(revenue ? [['Attendees who bought', percentText(revenue.conversionPercent)]] : []),
  ] as [string, string][];
}

/** The interactions with their numbers on the axis of the video. Chat messages are not responded to. */
export const listedInteractions = ({ interactions }: SessionAnalytics) =>
  interactions
    .filter(({ type }) => type !== 'chat')
    .map((interaction, index) => ({ ...interaction, number: index + 1 }));

export const interactionColumns = [
  'No.',
  'Name',
  'Type',
  'At',
  'Seen by',
  'Responded',
  'Of those who saw it',
];

export const interactionRows = (results: SessionAnalytics): Cell[][] =>
  listedInteractions(results).map((one) => [
    one.number,
    one.internalName,
    typeLooks[one.type].word,
    formatPosition(one.showAtSeconds),
    one.seen,
    one.type === 'poll' ? one.answered : one.clicked,
    // A player reports a view only where it can, so more people may respond than were seen.
    one.responsePercent === null || one.responsePercent > 100 ? null : percentText(one.responsePercent),
  ]);

export const revenueColumns = ['Currency', 'Net', 'Per registration', 'Per attendee'];

export function revenueRows({ revenue }: SessionAnalytics): Cell[][] {
  const money = (minor: number | null, currency: string) =>
    minor === null ? null : formatMoney(minor, currency);
  return (revenue?.sums ?? []).map(({ currency, ...sums }) => [
    currency,
    money(sums.netMinor, currency),
    money(sums.perRegistrantMinor, currency),
    money(sums.perAttendeeMinor, currency),
  ]);
}

/** The viewers as parts of those who joined, so that sessions of different sizes can be compared. */
export const toShares = ({ curve, joined }: SessionAnalytics): number[] =>
  (curve?.viewers ?? []).map((viewers) => (joined === 0 ? 0 : Math.round((viewers / joined) * 1000) / 10));
