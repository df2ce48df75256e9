import { type AccountWriter, createId, mapInTurns, statement } from '@service/database';
import { type Session, takePlaces } from '@service/webinars';
import { type Consent, type Registration, registrationRow } from '../entities/registration.ts';
import { readUtm, type RegistrantInput } from './registrant-input.ts';

/** A person to register, with the session that was booked for them. */
export interface Registrant {
  input: RegistrantInput;
  session: Session;
  source: Registration['source'];
  consent: Consent | null;
}

export interface Registered {
  registration: Registration;
  session: Session;
  /** False when the session already had a registration with this e-mail address. */
  created: boolean;
  /** The caller wants no confirmation mail. */
  suppressConfirmation: boolean;
}

// The update writes the same value. Unlike "do nothing" it waits for a transaction that is inserting or cancelling the same
// registration, returns the existing row, and locks it until the end of the transaction. The order by prevents deadlocks between
// two batches with the same people.
const upsert = statement({
  name: 'attendees.upsert_registrations',
  text: `
  insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, phone, timezone, locale,
    custom_fields, utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer, source, metadata, consent, registered_at)
  select $1, id, "webinarId", "sessionId", name, email, phone, timezone, locale, "customFields", utm ->> 'source',
    utm ->> 'medium', utm ->> 'campaign', utm ->> 'term', utm ->> 'content', referrer, source, metadata, consent, "registeredAt"
  from jsonb_to_recordset($2::jsonb) as r
    (id uuid, "webinarId" uuid, "sessionId" uuid, name text, email text, phone text, timezone text, locale text,
     "customFields" jsonb, utm jsonb, referrer text, source text, metadata jsonb, consent jsonb, "registeredAt" timestamptz)
  order by "sessionId", email
  on conflict (account_id, session_id, email) where status <> 'cancelled' do update set email = excluded.email
  returning *`,
  row: registrationRow.columns,
});

/**
 * Inserts registrations in one statement. Returns them in the order of `registrants`: the new registration, or the existing one
 * of the same session and e-mail address. No two registrants may have the same session and address.
 */
export async function upsertRegistrations(
  tx: AccountWriter,
  registrants: readonly Registrant[],
): Promise<Registered[]> {
  const drafts = registrants.map((registrant) => registrantToRow(registrant, tx.now));
  const rows = await tx.query(upsert, [tx.accountId, JSON.stringify(drafts)]);
  const registrations = await mapInTurns(rows, registrationRow.toEntity);
  const byPlace = new Map(registrations.map((found) => [placeOf(found.sessionId, found.email), found]));
  const registered = registrants.map(({ input, session }, index) => {
    const registration = byPlace.get(placeOf(session.id, input.email))!;
    const created = registration.id === drafts[index]!.id;
    return { registration, session, created, suppressConfirmation: input.suppressConfirmation };
  });
  const created = registered.filter((one) => one.created);
  const bySession = Map.groupBy(created, ({ session }) => session.id);
  takePlaces(tx, new Map([...bySession].map(([id, own]) => [id, own.length])));
  return registered;
}

/** Key of a session and an e-mail address, which have at most one registration that is not cancelled. */
export const placeOf = (sessionId: string, email: string): string => `${sessionId} ${email}`;

const registrantToRow = ({ input, session, source, consent }: Registrant, now: Date) => ({
  ...input,
  id: createId(),
  webinarId: session.webinarId,
  sessionId: session.id,
  utm: readUtm(input),
  source,
  consent,
  registeredAt: now,
});
