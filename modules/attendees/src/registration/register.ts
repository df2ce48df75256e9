import { type AccountWriter, mapInTurns, takePlace } from '@service/database';
import { AppError, commonErrors } from '@service/errors';
import { findSessionsAt, shareOpenWebinar, type Webinar, webinarErrors } from '@service/webinars';
import { issuesOf } from '@service/trpc';
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

interface RegisterInput extends RegistrantInput {
  webinarId: string;
  source: Registration['source'];
}

/**
 * Registers a person for a session. The same session and e-mail address again returns the existing registration and publishes
 * nothing. Throws webinar_not_found, webinar_not_published, validation_failed, session_full, session_time_unavailable (with
 * the nearest times).
 */
export async function register(
  tx: AccountWriter,
  input: RegisterInput,
  subscriber: EventSubscriber,
): Promise<Registered> {
  const sessionTime = sessionTimeOf(input);
  // Sent together. The second is answered after the first has taken its lock.
  const [webinar, known, interest] = await Promise.all([
    shareOpenWebinar(tx, input.webinarId),
    sessionTime && findSessionsAt(tx, input.webinarId, sessionTime),
    subscriber.findInterest(tx, input.webinarId, 'registered'),
  ]);
  const issues = registrantProblems(webinar, input);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  const { email, source } = input;
  const place = await createBooker(tx, webinar, [email])({ sessionTime, email, known });
  if (place.kind !== 'booked') throw refusePlace(place);
  const consent = consentOf(webinar, input, tx.now);
  const [registered] = await upsertRegistrations(tx, [{ input, session: place.session, source, consent }]);
  await publishRegistered(tx, webinar, [registered!], interest);
  return registered!;
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
  const consentFor = (input: RegistrantInput) => consentOf(webinar, input, tx.now);
  const rows = await bookRows(createBooker(tx, webinar, emails), inputs, consentFor);
  const registrants = rows.filter((row): row is Registrant => !(row instanceof AppError));
  const registered = await upsertFirst(tx, registrants);
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
  consentFor: (input: RegistrantInput) => Registrant['consent'],
): Promise<(Registrant | AppError)[]> {
  const rows = inputs.map((input, index) => ({ input, index }));
  const inOrderOfTime = rows.toSorted((a, b) => startOf(a.input) - startOf(b.input));
  const booked = new Map<number, Registrant | AppError>();
  for (const { input, index } of inOrderOfTime)
    booked.set(index, input instanceof AppError ? input : await bookRow(book, input, consentFor(input)));
  return inputs.map((_input, index) => booked.get(index)!);
}

const startOf = (input: RegistrantInput | AppError): number =>
  input instanceof AppError ? 0 : (sessionTimeOf(input)?.getTime() ?? 0);

async function bookRow(
  book: Booker,
  input: RegistrantInput,
  consent: Registrant['consent'],
): Promise<Registrant | AppError> {
  const place = await book({ sessionTime: sessionTimeOf(input), email: input.email });
  if (place.kind !== 'booked') return refusePlace(place);
  return { input, session: place.session, source: 'bulk', consent };
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
