import { type AccountWriter, mapInTurns, takePlace } from '@service/database';
import { AppError, commonErrors } from '@service/errors';
import { findSessionsAt, shareOpenWebinar, type Webinar, webinarErrors } from '@service/webinars';
import { createBatchedWrite, issuesOf } from '@service/trpc';
import type { z } from 'zod';
import { nothingDone } from '../entities/attendance.ts';
import type { Registration } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import type { EventInterest, EventSubscriber } from '../event/event-subscriber.ts';
import { publishEvents } from '../event/publish-events.ts';
import { type Booker, createBooker, type PlaceResult } from './create-booker.ts';
import { placeOf, type Registered, type Registrant, upsertRegistrations } from './upsert-registrations.ts';
import {
  consentOf,
  type RegistrantInput,
  registrantProblems,
  RegistrantRow,
  sessionTimeOf,
} from './registrant-input.ts';
import type { BulkRegisterInput } from './schemas.ts';

export interface RegisterInput extends RegistrantInput {
  webinarId: string;
  source: Registration['source'];
}

/** Registers people whose calls arrive while others of the webinar are written, in one transaction. */
export const batchRegistrations = (subscriber: EventSubscriber) =>
  createBatchedWrite({
    keyOf: ({ webinarId }: RegisterInput) => webinarId,
    run: (tx, inputs) => registerPeople(tx, { webinarId: inputs[0]!.webinarId, rows: inputs }, subscriber),
  });

type Row = RegistrantInput & Pick<Registration, 'source'>;

interface RegisterPeopleInput {
  webinarId: string;
  /** An error is a row that was refused before. */
  rows: readonly (Row | AppError)[];
}

/**
 * Registers people for sessions of one webinar in a few statements. Returns for each row, in order, its new or existing registration,
 * or the error that refused it: validation_failed, session_full or session_time_unavailable (with the nearest times). An existing
 * registration publishes nothing. Throws webinar_not_found, webinar_not_published.
 */
export async function registerPeople(
  tx: AccountWriter,
  { webinarId, rows }: RegisterPeopleInput,
  subscriber: EventSubscriber,
): Promise<(Registered | AppError)[]> {
  const times = acceptedOf(rows).flatMap((row) => sessionTimeOf(row) ?? []);
  // Sent together. The second is answered after the first has taken its lock.
  const [webinar, known, interest] = await Promise.all([
    shareOpenWebinar(tx, webinarId),
    findSessionsAt(tx, webinarId, times),
    subscriber.findInterest(tx, webinarId, 'registered'),
  ]);
  const checked = await mapInTurns(rows, (row) => checkRow(webinar, row));
  const emails = acceptedOf(checked).map(({ email }) => email);
  const booked = await bookRows(createBooker(tx, webinar, { emails, known }), checked, (row) =>
    consentOf(webinar, row, tx.now),
  );
  const registrants = acceptedOf(booked);
  if (registrants.length === 0) return toResults(booked, new Map());
  const registered = await upsertFirst(tx, registrants);
  await publishRegistered(tx, webinar, [...registered.values()], interest);
  return toResults(booked, registered);
}

const acceptedOf = <Accepted extends object>(rows: readonly (Accepted | AppError)[]): Accepted[] =>
  rows.filter((row): row is Accepted => !(row instanceof AppError));

function checkRow(webinar: Webinar, row: Row | AppError): Row | AppError {
  if (row instanceof AppError) return row;
  const issues = registrantProblems(webinar, row);
  return issues.length > 0 ? commonErrors.validation_failed({ issues }) : row;
}

/** The error for a person who gets no place: the session is full, or the time is not offered. */
export const refusePlace = (place: Exclude<PlaceResult, { kind: 'booked' }>): AppError =>
  place.kind === 'full'
    ? webinarErrors.session_full()
    : attendeeErrors.session_time_unavailable({
        issues: [{ path: 'sessionTime', message: 'Not the start of a bookable session.' }],
        details: { nearest: place.nearest },
      });

/** Publishes `registered` for the registrations that are new. */
async function publishRegistered(
  tx: AccountWriter,
  webinar: Webinar,
  registered: readonly Registered[],
  interest: EventInterest,
): Promise<void> {
  const events = registered
    .filter(({ created }) => created)
    .map(({ registration, session, suppressConfirmation }) => {
      const { registeredAt: occurredAt } = registration;
      const happened = { type: 'registered', occurredAt, data: {}, facts: nothingDone } as const;
      return { ...happened, webinar, registration, session, suppressConfirmation };
    });
  await publishEvents(tx, events, interest);
}

/** An account runs two bulk calls at once, because each one is as much work as hundreds of other calls. */
const bulkCalls = { work: 'webinars.bulk_registration', places: 2 };

/** Registers the rows of a bulk call. Throws bulk_in_progress, delivery_backlog_full, webinar_not_found, webinar_not_published. */
export async function registerMany(
  tx: AccountWriter,
  { webinarId, registrations }: z.output<typeof BulkRegisterInput>,
  subscriber: EventSubscriber,
): Promise<(Registered | AppError)[]> {
  if (!(await takePlace(tx, bulkCalls))) throw attendeeErrors.bulk_in_progress({ retryAfterSeconds: 1 });
  await subscriber.requireRoom?.(tx);
  const rows = await mapInTurns(registrations, (row): Row | AppError => {
    const { data, error } = RegistrantRow.safeParse(row);
    if (error) return commonErrors.validation_failed({ issues: issuesOf(error, { input: row }) });
    return { ...data, source: 'bulk' };
  });
  return registerPeople(tx, { webinarId, rows }, subscriber);
}

/** Books in the order of start times, so that two batches that make the same sessions do not deadlock. */
async function bookRows(
  book: Booker,
  inputs: readonly (Row | AppError)[],
  consentFor: (input: RegistrantInput) => Registrant['consent'],
): Promise<(Registrant | AppError)[]> {
  const rows = inputs.map((input, index) => ({ input, index }));
  const inOrderOfTime = rows.toSorted((a, b) => startOf(a.input) - startOf(b.input));
  const booked = new Map<number, Registrant | AppError>();
  for (const { input, index } of inOrderOfTime)
    booked.set(index, input instanceof AppError ? input : await bookRow(book, input, consentFor(input)));
  return inputs.map((_input, index) => booked.get(index)!);
}

const startOf = (input: Row | AppError): number =>
  input instanceof AppError ? 0 : (sessionTimeOf(input)?.getTime() ?? 0);

async function bookRow(
  book: Booker,
  input: Row,
  consent: Registrant['consent'],
): Promise<Registrant | AppError> {
  const place = await book({ sessionTime: sessionTimeOf(input), email: input.email });
  if (place.kind !== 'booked') return refusePlace(place);
  return { input, session: place.session, source: input.source, consent };
}

/** Upserts the first row of each session and e-mail address. Returns the registrations by placeOf. */
async function upsertFirst(
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
