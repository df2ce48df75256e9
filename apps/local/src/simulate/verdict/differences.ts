// Finds differences between the actions of one attendee and the records, firings and deliveries of the service.
import { isWithin, showCount, sumCounts, type Count } from '../count.ts';
import { typeOfSource } from '../service/event-sources.ts';
import type { Receipts } from '../service/receipts.ts';
import { anySubject, type Attendee, type AttendeeRecord } from './expectations.ts';

export interface Difference {
  /** Its line in the table. */
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
  const compare = (
    what: string,
    count: Count,
    { found, verb }: { found: number; verb: string },
  ): Difference[] =>
    isWithin(found, count)
      ? []
      : [{ what, text: `${what} of ${email}: ${showCount(count)} expected, ${verb} ${found}` }];
  const { watchedSeconds } = record;
  return [
    ...[...expected.events].flatMap(([type, count]) =>
      compare(type, count, { found: record.events.get(type) ?? 0, verb: 'recorded' }),
    ),
    ...[...expected.fires].flatMap(([source, subjects]) =>
      compare(typeOfSource(source), sumCounts(subjects.values()), {
        found: record.fired.get(source) ?? 0,
        verb: `${source} fired`,
      }),
    ),
    ...(watchedSeconds === undefined
      ? []
      : compare(watchedLine, expected.watchedSeconds, { found: watchedSeconds, verb: 'recorded' })),
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
    return [...wrong, ...(isForgiven ? [] : [`delivered without an action: ${unknown.join(', ')}`])].map(
      (text) => ({ what: typeOfSource(source), text: `${source} of ${email}: ${text}` }),
    );
  });
}

/** Deliveries of unknown registrations. */
export function unknownRegistrations(
  attendees: readonly Pick<Attendee, 'registrationId'>[],
  receipts: Pick<Receipts, 'registrationIds'>,
): Difference[] {
  const known = new Set(attendees.map(({ registrationId }) => registrationId));
  return [...receipts.registrationIds()]
    .filter((id) => !known.has(id))
    .map((id) => ({ what: 'registered', text: `delivered for an unknown registration: ${id}` }));
}
