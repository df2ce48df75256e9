// Where what the service recorded, fired on or delivered is not what one attendee did.
import type { Attendee, AttendeeRecord } from './attendees.ts';
import { isWithin, showCount, sumCounts, type Count } from '../count.ts';
import { anySubject } from './expectations.ts';
import type { Receipts } from '../service/receipts.ts';
import { typeOfSource } from '../service/sources.ts';

export interface Difference {
  /** The line of the table that it belongs to. */
  what: string;
  text: string;
}

export const attendedLine = 'attended';
export const watchedLine = 'watched seconds';

export function statusDifferences({ email, expected }: Attendee, status: string | undefined): Difference[] {
  const came = expected.events.get('joined')!;
  const isFine =
    (status === 'attended' && came.most > 0) ||
    (status === 'no_show' && expected.events.get('no_show')!.most > 0);
  if (isFine) return [];
  const should = came.least > 0 ? 'attended' : 'no_show';
  return [{ what: attendedLine, text: `${email} is ${status ?? 'not listed'}, not ${should}` }];
}

export function recordDifferences({ email, expected }: Attendee, record: AttendeeRecord): Difference[] {
  const hold = (what: string, count: Count, { found, verb }: { found: number; verb: string }): Difference[] =>
    isWithin(found, count)
      ? []
      : [{ what, text: `${what} of ${email}: ${showCount(count)} expected, ${verb} ${found}` }];
  const { watchedSeconds } = record;
  return [
    ...[...expected.events].flatMap(([type, count]) =>
      hold(type, count, { found: record.events.get(type) ?? 0, verb: 'recorded' }),
    ),
    ...[...expected.fires].flatMap(([source, subjects]) =>
      hold(typeOfSource(source), sumCounts(subjects.values()), {
        found: record.fired.get(source) ?? 0,
        verb: `${source} fired`,
      }),
    ),
    ...(watchedSeconds === undefined
      ? []
      : hold(watchedLine, expected.watchedSeconds, { found: watchedSeconds, verb: 'recorded' })),
  ];
}

export function deliveryDifferences(
  { registrationId, email, expected }: Attendee,
  receipts: Pick<Receipts, 'of'>,
): Difference[] {
  return [...expected.fires].flatMap(([source, subjects]) => {
    const received = receipts.of(registrationId, source);
    const wrong = [...subjects].flatMap(([subject, count]) => {
      const came = received.get(subject)?.size ?? 0;
      const isFine = subject === anySubject || isWithin(came, count);
      return isFine ? [] : [`${showCount(count)} expected, delivered ${came} ${subject}`.trim()];
    });
    const unknown = [...received.keys()].filter((subject) => !subjects.has(subject));
    const isForgiven = unknown.length <= (subjects.get(anySubject)?.most ?? 0);
    return [...wrong, ...(isForgiven ? [] : [`delivered what was not done: ${unknown.join(', ')}`])].map(
      (text) => ({ what: typeOfSource(source), text: `${source} of ${email}: ${text}` }),
    );
  });
}

/** What came of registrations that are not ours. */
export function strangers(
  attendees: readonly Pick<Attendee, 'registrationId'>[],
  receipts: Pick<Receipts, 'registrationIds'>,
): Difference[] {
  const known = new Set(attendees.map(({ registrationId }) => registrationId));
  return [...receipts.registrationIds()]
    .filter((id) => !known.has(id))
    .map((id) => ({ what: 'registered', text: `delivered of a registration that nobody made: ${id}` }));
}
