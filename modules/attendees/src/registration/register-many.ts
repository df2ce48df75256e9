import { mapInTurns, takePlace, type AccountWriter } from '@service/database';
import { AppError, commonErrors } from '@service/errors';
import { issuesOf } from '@service/trpc';
import { shareOpenWebinar, type Webinar } from '@service/webinars';
import type { z } from 'zod';
import { attendeeErrors } from '../errors.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import { createBooker, type Booker } from './create-booker.ts';
import { upsertRegistrations, placeOf, type Registered, type Registrant } from './upsert-registrations.ts';
import { publishRegistered, refusePlace } from './register.ts';
import {
  RegistrantRow,
  registrantProblems,
  sessionTimeOf,
  type RegistrantInput,
} from './registrant-input.ts';
import type { BulkRegisterInput } from './schemas.ts';

/** An account runs two bulk calls at once, because each one is as much work as hundreds of other calls. */
const bulkCalls = { work: 'webinars.bulk_registration', places: 2 };

/**
 * Registers many people in a few statements. Returns for each row, in order, its new or existing registration, or the error that
 * refused it. Throws bulk_in_progress, delivery_backlog_full, webinar_not_found, webinar_not_published.
 */
export async function registerMany(
  tx: AccountWriter,
  { webinarId, registrations }: z.output<typeof BulkRegisterInput>,
  subscriber: EventSubscriber,
): Promise<(Registered | AppError)[]> {
  if (!(await takePlace(tx, bulkCalls))) throw attendeeErrors.bulk_in_progress({ retryAfterSeconds: 1 });
  await subscriber.requireRoom?.(tx);
  const [webinar, interest] = await Promise.all([
    shareOpenWebinar(tx, webinarId),
    subscriber.findInterest(tx, webinarId, 'registered'),
  ]);
  const inputs = await mapInTurns(registrations, (row) => readRow(webinar, row));
  const emails = inputs.flatMap((input) => (input instanceof AppError ? [] : [input.email]));
  const rows = await bookRows(createBooker(tx, webinar, emails), inputs);
  const registrants = rows.filter((row): row is Registrant => !(row instanceof AppError));
  const registered = await insertFirst(tx, registrants);
  await publishRegistered(tx, webinar, [...registered.values()], interest);
  return toResults(rows, registered);
}

function readRow(webinar: Webinar, row: unknown): RegistrantInput | AppError {
  const { data, error } = RegistrantRow.safeParse(row);
  const issues = error ? issuesOf(error) : registrantProblems(webinar, data);
  return issues.length > 0 ? commonErrors.validation_failed({ issues }) : data!;
}

/** Books in the order of start times, so that two batches that make the same sessions do not deadlock. */
async function bookRows(
  book: Booker,
  inputs: readonly (RegistrantInput | AppError)[],
): Promise<(Registrant | AppError)[]> {
  const rows = inputs.map((input, index) => ({ input, index }));
  const inOrderOfTime = rows.toSorted((a, b) => startOf(a.input) - startOf(b.input));
  const booked = new Map<number, Registrant | AppError>();
  for (const { input, index } of inOrderOfTime)
    booked.set(index, input instanceof AppError ? input : await bookRow(book, input));
  return inputs.map((_input, index) => booked.get(index)!);
}

const startOf = (input: RegistrantInput | AppError): number =>
  input instanceof AppError ? 0 : (sessionTimeOf(input)?.getTime() ?? 0);

async function bookRow(book: Booker, input: RegistrantInput): Promise<Registrant | AppError> {
  const place = await book({ sessionTime: sessionTimeOf(input), email: input.email });
  return place.kind === 'booked' ? { input, session: place.session, source: 'bulk' } : refusePlace(place);
}

/** Inserts the first row of each session and e-mail address. Returns the registrations by placeOf. */
async function insertFirst(
  tx: AccountWriter,
  registrants: readonly Registrant[],
): Promise<Map<string, Registered>> {
  const firstByPlace = new Map<string, Registrant>();
  for (const registrant of registrants) {
    const place = placeOf(registrant.session.id, registrant.input.email);
    if (!firstByPlace.has(place)) firstByPlace.set(place, registrant);
  }
  const registered = await upsertRegistrations(tx, [...firstByPlace.values()]);
  return new Map([...firstByPlace.keys()].map((place, index) => [place, registered[index]!]));
}

function toResults(
  rows: readonly (Registrant | AppError)[],
  registeredByPlace: ReadonlyMap<string, Registered>,
): (Registered | AppError)[] {
  const seen = new Set<Registered>();
  return rows.map((row) => {
    if (row instanceof AppError) return row;
    const registered = registeredByPlace.get(placeOf(row.session.id, row.input.email))!;
    if (seen.has(registered)) return { ...registered, created: false };
    seen.add(registered);
    return registered;
  });
}
