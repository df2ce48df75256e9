// The erasure of a person. The call of an owner deletes the registrations, so that nothing new follows from them. Workers then erase the rest,
// module by module in short transactions, and repeat it ten minutes later for what was running at the time of the call.
import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  accountWriter,
  column,
  createId,
  createOldRowsDeleter,
  databaseTime,
  isFirstDue,
  lockLimit,
  nullable,
  statement,
  type AccountQueries,
  type AccountWriter,
  type Database,
  type Query,
} from '@service/database';
import { tryLater, type ErasePerson } from '@service/module';
import { hashAddress, type SecretBox } from '@service/secrets';
import { takePlaces } from '@service/webinars';
import { attendeeErrors } from '../errors.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';

/** Kept for 400 days as proof. When it has finished, it has a hash in the place of the address. */
export const Erasure = defineEntity({
  name: 'Erasure',
  tableName: 'erasure',
  schema: 'attendees',
  indexes: [
    { name: 'erasure_next_index', properties: ['nextAt'], where: 'next_at is not null' },
    {
      name: 'erasure_open_index',
      properties: ['accountId', 'addressHash'],
      where: 'finished_at is null',
    },
    { name: 'erasure_address_index', properties: ['accountId', 'addressHash'] },
    { name: 'erasure_finished_index', properties: ['finishedAt'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    addressHash: p.text(),
    /** Null when it has finished. */
    sealedAddress: p.text().nullable(),
    /** Empty when it has finished. */
    registrationIds: p.json<readonly string[]>(),
    /** The id of a member. */
    requestedBy: p.text(),
    requestedAt: p.datetime(3),
    isRepetition: p.boolean(),
    /** The module whose turn it is, and the cursor of its next part. Empty: the first module. */
    step: p.text(),
    cursor: p.text().nullable(),
    /** The time of the next part. Null when it has finished. */
    nextAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
  },
});

export const sealedErasures = {
  table: 'attendees.erasure',
  column: 'sealed_address',
  type: 'text',
  key: ['account_id', 'id'],
  context: ['id'],
} as const;

/** A module's part in erasures, by the name of the module. */
export type Erasers = ReadonlyMap<string, ErasePerson>;

/** Erasures of an account that have not finished. */
const openMax = 100;
/** Registrations that are deleted at once. If the person has more, the repetition deletes them and adds an erasure for them. */
const registrationsMax = 5000;
/** Work that is running at the time of the call has ended after this time: sends end within a minute, and leases within two. */
const repeatAfterMs = 600_000;
const retryAfterMs = 60_000;
const keptDays = 400;
/** Erasures and time of one round of a worker. */
const erasuresMax = 20;
const roundMs = 800;

const countOpen = statement({
  name: 'attendees.count_open_erasures',
  text: `
    select count(*)::int as open from attendees.erasure where account_id = $1 and finished_at is null`,
  row: { open: column.integer },
});

const insertErasure = statement({
  name: 'attendees.insert_erasure',
  text: `
    insert into attendees.erasure (account_id, id, address_hash, sealed_address, registration_ids, requested_by, requested_at,
      is_repetition, step, next_at)
    values ($1, $2, $3, $4, $5, $6, $7, false, '', $8)`,
});

// Registrations are locked before their attendances, like everywhere. $3: of that time or earlier.
const deleteRegistrations = statement({
  name: 'attendees.delete_registrations_of_person',
  text: `
    with own as materialized (
      select r.id from attendees.registration r
      where r.account_id = $1 and r.email = $2 and r.registered_at <= $3::timestamptz and r.status <> 'test'
      order by r.id limit ${registrationsMax} for update
    ), gone as (
      delete from attendees.registration g using own where g.account_id = $1 and g.id = own.id
      returning g.id, g.session_id, g.status
    ), attendances as (
      delete from attendees.attendance a using gone where a.account_id = $1 and a.registration_id = gone.id
    )
    select id, session_id as "sessionId", status <> 'cancelled' as "hasPlace" from gone`,
  row: { id: column.id, sessionId: column.id, hasPlace: column.boolean },
});

interface ErasureRequest {
  /** In lower case. */
  email: string;
  /** The id of a member. */
  requestedBy: string;
}

/**
 * Deletes the registrations of an address in the account, and has workers erase everything else about the person. Nothing is published, so
 * no mail and no webhook follows. Returns the number of deleted registrations. Throws too_many_erasures.
 */
export async function requestErasure(
  tx: AccountWriter,
  { email, requestedBy }: ErasureRequest,
  { secretBox, subscriber }: { secretBox: SecretBox; subscriber: Pick<EventSubscriber, 'onErasure'> },
): Promise<number> {
  await lockLimit(tx, 'erasures');
  const [counted] = await tx.query(countOpen, [tx.accountId]);
  if (counted!.open >= openMax) throw attendeeErrors.too_many_erasures();
  const registrationIds = await deleteAll(tx, email, databaseTime());
  // The request counts from here and not from the start of the call, which may have waited for locks. A second request is an erasure of
  // its own: facts may have come since the first.
  const until = databaseTime();
  const erasureId = await addErasure(tx, { email, registrationIds, requestedBy, until }, secretBox);
  await subscriber.onErasure?.(tx, { erasureId, email, until });
  return registrationIds.length;
}

interface ErasureDraft extends ErasureRequest {
  registrationIds: readonly string[];
  until: Date;
}

async function addErasure(
  { query, accountId, now }: AccountWriter,
  { email, registrationIds, requestedBy, until }: ErasureDraft,
  secretBox: SecretBox,
): Promise<string> {
  const id = createId();
  await query(insertErasure, [
    accountId,
    id,
    hashAddress(accountId, email),
    secretBox.seal(email, id),
    JSON.stringify(registrationIds),
    requestedBy,
    until,
    now,
  ]);
  return id;
}

async function deleteAll(tx: AccountWriter, email: string, until: Date): Promise<string[]> {
  const gone = await tx.query(deleteRegistrations, [tx.accountId, email, until]);
  const places = new Map<string, number>();
  for (const { sessionId, hasPlace } of gone)
    if (hasPlace) places.set(sessionId, (places.get(sessionId) ?? 0) - 1);
  takePlaces(tx, places);
  return gone.map(({ id }) => id);
}

interface RoundOptions {
  erasers: Erasers;
  secretBox: SecretBox;
  now: Date;
  signal: AbortSignal;
  onFailure: (error: unknown) => void;
}

interface Key {
  accountId: string;
  id: string;
}

export const hasDueErasure = isFirstDue({
  table: 'attendees.erasure',
  time: 'next_at',
  where: 'next_at is not null',
});

const selectDue = statement({
  name: 'attendees.select_due_erasures',
  text: `
    select account_id as "accountId", id from attendees.erasure
    where next_at <= $1::timestamptz order by next_at limit ${erasuresMax}`,
  allAccounts: 'A worker continues the erasures of every account.',
  row: { accountId: column.id, id: column.id },
});

/** Continues erasures: one part of each in turn, until the round ends. A failed one is tried again after a minute. */
export async function continueErasures(
  database: Pick<Database, 'query' | 'ofAccount'>,
  { now, signal, onFailure, ...parts }: RoundOptions,
): Promise<void> {
  const endMs = performance.now() + roundMs;
  let due = await database.query(selectDue, [now]);
  while (due.length > 0) {
    const unfinished: Key[] = [];
    for (const key of due) {
      if (signal.aborted || performance.now() > endMs) return;
      const { accountId, id } = key;
      try {
        const isDue = await database
          .ofAccount(accountId)
          .transaction((tx) => erasePart(accountWriter(tx, { accountId, now }), id, parts));
        if (isDue) unfinished.push(key);
      } catch (error) {
        onFailure(error);
        await database.query(postpone, [accountId, id, new Date(now.getTime() + retryAfterMs)]);
      }
    }
    due = unfinished;
  }
}

const postpone = statement({
  name: 'attendees.postpone_erasure',
  text: `update attendees.erasure set next_at = $3::timestamptz where account_id = $1 and id = $2 and next_at is not null`,
});

const lockErasure = statement({
  name: 'attendees.lock_erasure',
  text: `
    select sealed_address as "sealedAddress", registration_ids as "registrationIds", requested_by as "requestedBy", requested_at as "requestedAt",
      is_repetition as "isRepetition", step, cursor
    from attendees.erasure where account_id = $1 and id = $2 and next_at <= $3::timestamptz for update skip locked`,
  row: {
    sealedAddress: column.text,
    registrationIds: column.json<readonly string[]>(),
    requestedBy: column.text,
    requestedAt: column.time,
    isRepetition: column.boolean,
    step: column.text,
    cursor: nullable(column.text),
  },
});

const moveErasure = statement({
  name: 'attendees.move_erasure',
  text: `
    update attendees.erasure set step = $3, cursor = $4, is_repetition = $5, next_at = $6::timestamptz
    where account_id = $1 and id = $2`,
});

const finishErasure = statement({
  name: 'attendees.finish_erasure',
  text: `
    update attendees.erasure set sealed_address = null, registration_ids = '[]', cursor = null, next_at = null, finished_at = $3
    where account_id = $1 and id = $2`,
});

/** Erases one part. True when the next one is due. */
async function erasePart(
  tx: AccountWriter,
  id: string,
  { erasers, secretBox }: Pick<RoundOptions, 'erasers' | 'secretBox'>,
): Promise<boolean> {
  const { query, accountId, now } = tx;
  const [erasure] = await query(lockErasure, [accountId, id, now]);
  if (!erasure) return false;
  const { sealedAddress, registrationIds, requestedBy, requestedAt: until, isRepetition } = erasure;
  const names = [...erasers.keys()];
  const index = Math.max(names.indexOf(erasure.step), 0);
  const email = secretBox.open(sealedAddress, id);
  const person = { erasureId: id, email, registrationIds, until, isRepetition };
  const move = async (to: {
    step: string;
    cursor?: string | null;
    isRepetition: boolean;
    at?: Date;
  }): Promise<true> => {
    const { step, cursor = null, at = now } = to;
    await query(moveErasure, [accountId, id, step, cursor, to.isRepetition, at]);
    return true;
  };
  const cursor = await erasers.get(names[index]!)!(tx, person, erasure.cursor);
  if (cursor === tryLater) {
    await move({ step: names[index]!, isRepetition, at: new Date(now.getTime() + retryAfterMs) });
    return false;
  }
  if (cursor !== null) return move({ step: names[index]!, cursor, isRepetition });
  const step = names[index + 1];
  if (step !== undefined) return move({ step, isRepetition });
  if (!isRepetition) {
    await move({ step: '', isRepetition: true, at: new Date(now.getTime() + repeatAfterMs) });
    return false;
  }
  // Further registrations, and those that were being made at the time of the request, have an erasure of their own.
  const furtherIds = await deleteAll(tx, email, until);
  if (furtherIds.length > 0)
    await addErasure(tx, { email, registrationIds: furtherIds, requestedBy, until }, secretBox);
  await query(finishErasure, [accountId, id, now]);
  return false;
}

// $3: the hashes of $2.
const selectErased = statement({
  name: 'attendees.select_erased_addresses',
  text: `
    select address from unnest($2::text[], $3::text[]) as a (address, hash)
    where exists (select from attendees.erasure e where e.account_id = $1 and e.address_hash = a.hash)
      and (select true from attendees.registration r
        where r.account_id = $1 and r.email = a.address and r.status <> 'test' limit 1) is null`,
  row: { address: column.text },
});

/** Those of these addresses, in lower case, whose person was erased in the last 400 days and has not come back. */
export async function findErased(
  { query, accountId }: AccountQueries,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const hashes = addresses.map((address) => hashAddress(accountId, address));
  const rows = await query(selectErased, [accountId, addresses, hashes]);
  return new Set(rows.map(({ address }) => address));
}

const deleteOld = createOldRowsDeleter({ table: 'attendees.erasure', time: 'finished_at' });

export const deleteOldErasures = (query: Query, now: Date): Promise<number> =>
  deleteOld(query, { before: new Date(now.getTime() - keptDays * 86_400_000) });
