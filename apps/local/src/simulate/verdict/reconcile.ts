// Compares the actions of attendees with the records, firings and deliveries of the service.
import {
  clickTargets,
  interactionTypes,
  type ActionLog,
  type ClickTarget,
  type InteractionType,
} from '../attendee/action-log.ts';
import { isWithin, never, once, showCount, sumCounts, type Count } from '../count.ts';
import { pollOptions } from '../programme.ts';
import { eventTypes, typeOfSource, type EventType } from '../service/event-sources.ts';
import type { Receipts } from '../service/receipts.ts';
import type { ComparedResults, ComparedStats } from '../service/records.ts';
import {
  attendedLine,
  deliveryDifferences,
  recordDifferences,
  statusDifferences,
  unknownRegistrations,
  watchedLine,
  type Difference,
} from './differences.ts';
import type { Attendee, AttendeeRecord, Records, Expected } from './expectations.ts';

/** The expected and the found count. */
export interface Compared {
  expected: Count;
  found: number;
}

export interface Line {
  what: string;
  done: Count;
  /** Null when there is nothing to compare. */
  recorded: Compared | null;
  fired: Compared | null;
  delivered: Compared | null;
  differences: number;
}

export interface Reconciliation {
  lines: Line[];
  differences: Difference[];
}

/** Without receipts nothing could be delivered. */
export function reconcile(
  attendees: readonly Attendee[],
  records: Records,
  receipts: Receipts | undefined,
): Reconciliation {
  const pairs = attendees.flatMap((attendee): Pair[] => {
    const record = records.attendees.get(attendee.registrationId);
    return record ? [{ attendee, record }] : [];
  });
  const differences = [
    ...attendees.flatMap((attendee) =>
      statusDifferences(attendee, records.statuses.get(attendee.registrationId)),
    ),
    ...pairs.flatMap(({ attendee, record }) => recordDifferences(attendee, record)),
    ...(receipts
      ? [
          ...attendees.flatMap((attendee) => deliveryDifferences(attendee, receipts)),
          ...unknownRegistrations(attendees, receipts),
        ]
      : []),
  ];
  const lines = [
    ...eventTypes.map((type) => eventLine(type, { attendees, pairs, receipts })),
    attendedLineOf(attendees, records),
    watchedLineOf(pairs),
  ];
  return {
    lines: lines.map((line) => ({
      ...line,
      differences: differences.filter(({ what }) => what === line.what).length,
    })),
    differences,
  };
}

/** Missing deliveries by source. */
export function missingDeliveries(
  attendees: readonly Attendee[],
  receipts: Pick<Receipts, 'of'>,
): Map<string, number> {
  const missing = new Map<string, number>();
  for (const { registrationId, expected } of attendees) {
    for (const [source, subjects] of expected.fires) {
      const received = receipts.of(registrationId, source);
      const left = [...subjects].filter(([subject, { least }]) => (received.get(subject)?.size ?? 0) < least);
      if (left.length > 0) missing.set(source, (missing.get(source) ?? 0) + left.length);
    }
  }
  return missing;
}

/** An attendee that is compared in full. */
interface Pair {
  attendee: Attendee;
  record: AttendeeRecord;
}

type Sums = Omit<Line, 'differences'>;

interface Known {
  attendees: readonly Attendee[];
  pairs: readonly Pair[];
  receipts: Receipts | undefined;
}

function eventLine(type: EventType, { attendees, pairs, receipts }: Known): Sums {
  const isOfType = (source: string): boolean => typeOfSource(source) === type;
  const fires = ({ expected }: Attendee): Count => firesOf(expected, type);
  const toDeliver = sumCounts(attendees.map(fires));
  // `after_session` is the trigger of a rule, not an event of an attendee.
  const isEvent = type !== 'after_session';
  const events = ({ expected }: Attendee): Count => expected.events.get(type) ?? never;
  return {
    what: type,
    done: isEvent ? sumCounts(attendees.map(events)) : toDeliver,
    recorded: isEvent ? compare(pairs, events, (record) => record.events.get(type) ?? 0) : null,
    fired: receipts
      ? compare(pairs, fires, ({ fired }) =>
          sum([...fired].filter(([source]) => isOfType(source)).map(([, count]) => count)),
        )
      : null,
    delivered: receipts
      ? { expected: toDeliver, found: sum(receipts.sources().filter(isOfType).map(receipts.countOf)) }
      : null,
  };
}

function attendedLineOf(attendees: readonly Attendee[], { statuses }: Records): Sums {
  const done = sumCounts(attendees.map(({ expected }) => once(expected.events.get('joined')!)));
  const found = [...statuses.values()].filter((status) => status === 'attended').length;
  return { what: attendedLine, done, recorded: { expected: done, found }, fired: null, delivered: null };
}

function watchedLineOf(pairs: readonly Pair[]): Sums {
  const recorded = compare(
    pairs,
    ({ expected }) => expected.watchedSeconds,
    ({ watchedSeconds }) => watchedSeconds ?? 0,
  );
  return { what: watchedLine, done: recorded?.expected ?? never, recorded, fired: null, delivered: null };
}

function compare(
  pairs: readonly Pair[],
  expected: (attendee: Attendee) => Count,
  found: (record: AttendeeRecord) => number,
): Compared | null {
  if (pairs.length === 0) return null;
  return {
    expected: sumCounts(pairs.map(({ attendee }) => expected(attendee))),
    found: sum(pairs.map(({ record }) => found(record))),
  };
}

const firesOf = ({ fires }: Expected, type: EventType): Count =>
  sumCounts(
    [...fires]
      .filter(([source]) => typeOfSource(source) === type)
      .flatMap(([, subjects]) => [...subjects.values()]),
  );

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Compares the statistics of the interactions with the actions of attendees. */
export function reconcileStats(
  actionLogs: readonly ActionLog[],
  stats: Record<InteractionType, ComparedStats>,
): Reconciliation {
  const clicksOn = (on: ClickTarget): Count[] => actionLogs.map(({ clicks }) => clicks[on]);
  const votesFor = (id: string): Count => sumCounts(actionLogs.map(({ votes }) => votes.get(id) ?? never));
  return compareFigures([
    ...interactionTypes.map((on): Figure => [
      `stats: ${on} views`,
      sumCounts(actionLogs.map(({ views }) => views[on])),
      stats[on].views,
    ]),
    ...clickTargets.flatMap((on): Figure[] => [
      [`stats: ${on} clicks`, sumCounts(clicksOn(on)), stats[on].clicks],
      [`stats: ${on} clickers`, sumCounts(clicksOn(on).map(once)), stats[on].uniqueClickers],
    ]),
    ['stats: poll answers', sumCounts(pollOptions.map(({ id }) => votesFor(id))), stats.poll.responses],
    ...pollOptions.map(({ id }): Figure => [
      `stats: poll "${id}"`,
      votesFor(id),
      stats.poll.options.find((option) => option.id === id)?.count ?? 0,
    ]),
  ]);
}

/** Compares the results of the session with the actions of attendees. Everyone who joined has attended, because `minSeconds` is 0. */
export function reconcileResults(
  attendees: readonly Pick<Attendee, 'expected'>[],
  results: ComparedResults,
): Reconciliation {
  const events = attendees.map(({ expected }) => expected.events);
  const countOf = (type: EventType): Count => sumCounts(events.map((own) => once(own.get(type)!)));
  return compareFigures([
    ['results: registered', countOf('registered'), results.registered],
    ['results: joined', countOf('joined'), results.joined],
    ['results: attended', countOf('joined'), results.attended],
    ['results: no-shows', countOf('no_show'), results.noShow],
    ['results: completed', countOf('video_complete'), results.completed],
    ['results: clicked', countOf('cta_click'), results.clicked],
  ]);
}

type Figure = [what: string, done: Count, found: number];

function compareFigures(figures: readonly Figure[]): Reconciliation {
  return {
    lines: figures.map(([what, done, found]) => ({
      what,
      done,
      recorded: { expected: done, found },
      fired: null,
      delivered: null,
      differences: isWithin(found, done) ? 0 : 1,
    })),
    differences: figures
      .filter(([, done, found]) => !isWithin(found, done))
      .map(([what, done, found]) => ({ what, text: `${what}: done ${showCount(done)}, recorded ${found}` })),
  };
}
