// Kept answers of writes that carry an Idempotency-Key. `unit-of-write.ts` and `batched-write.ts` of `packages/trpc` call `claim` and
// `keep` inside the transaction of the write, `packages/surface/src/run-procedure.ts` calls `find` before it.
import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  column,
  createOldRowsDeleter,
  currentPayer,
  lowestId,
  nullable,
  queryOn,
  statement,
  workFor,
  type Database,
  type Query,
  type RowsOf,
} from '@service/database';
import { createBatcher } from '@service/background';
import { AppError, commonErrors } from '@service/errors';
import { namesAddress, type ErasePerson } from '@service/module';
import type { SecretBox } from '@service/secrets';
import type { AnswerStore } from '@service/surface';
import type { KeptAnswer, KeyedRequest } from '@service/trpc';
import { createHash, randomInt } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The answer of a write with an idempotency key. It is sealed because it can contain a secret that is shown once. */
export const KeptAnswerRow = defineEntity({
  name: 'KeptAnswer',
  tableName: 'kept_answer',
  schema: 'idempotency',
  indexes: [{ name: 'kept_answer_created_at_index', properties: ['createdAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    key: p.text().primary(),
    /** SHA-256 of the request. Another request with the same key has another one. */
    fingerprint: p.blob(),
    status: p.smallint(),
    location: p.text().nullable(),
    /** Always null. The former version names it in its statements; the next release drops it. */
    sealedBody: p.text().nullable(),
    /** The compressed and sealed body. Null for an answer without one. */
    sealed: p.blob().nullable(),
    /** Counted in `kept_bytes`. */
    bytes: p.integer().default(0),
    createdAt: p.datetime(3),
  },
});

/**
 * Bytes of the kept answers of an account. The total is the sum of its parts: each write adds to one of them, so that the writes
 * of an account do not wait for each other's commit.
 */
export const KeptBytes = defineEntity({
  name: 'KeptBytes',
  tableName: 'kept_bytes',
  schema: 'idempotency',
  properties: {
    accountId: p.uuid().primary(),
    /** Part 0 belongs to the sweep, and becomes negative when answers expire. */
    slot: p.smallint().primary(),
    bytes: p.bigint('number'),
  },
});

interface AnswersOptions {
  /** Outside transactions. */
  query: Query;
  secretBox: SecretBox;
  /** An answer is repeated for this time. Then its key may be used for another request. */
  windowHours: number;
}

/** A locked key becomes free with the end of a transaction, which is soon. */
const retryAfterSeconds = 1;

/** Bytes of kept answers for each account. */
const storageMaxBytes = 256 * 1024 * 1024;

/** Expired answers are deleted once an hour. */
const retryWhenFullSeconds = 3600;

/** Bytes of a row without its key and its body: the other columns, the header of the row and the index entries. */
const rowBytes = 100;

/** The status of an answer that was erased. No kept answer has it: 410 is not kept. */
const erasedStatus = 410;

/** Parts of an account's byte count. Writes add to a random part, so that they seldom wait for each other. */
const slots = 8;

type FoundRow = RowsOf<typeof findAnswers>;

interface Wanted {
  accountId: string;
  request: KeyedRequest;
  now: Date;
}

interface Search extends Wanted, PromiseWithResolvers<FoundRow | undefined> {}

/** Searches in one statement, and statements under way at once. Searches of several accounts share a statement. */
const searchesMax = 100;
const statementsMax = 2;

export function createAnswers({ query, secretBox, windowHours }: AnswersOptions): AnswerStore {
  const searches = createBatcher<Search>({
    batchMax: searchesMax,
    concurrency: statementsMax,
    groupOf: ({ accountId }) => accountId,
    async run(batch) {
      try {
        const rows = await findRows(query, batch);
        for (const [index, { resolve }] of batch.entries()) resolve(rows[index]);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    },
  });

  /** The row of the kept answer of each request. */
  async function findRows(on: Query, wanted: readonly Wanted[]): Promise<(FoundRow | undefined)[]> {
    const rows = await on(findAnswers, [
      wanted.map(({ accountId }) => accountId),
      wanted.map(({ request: { key } }) => key),
      wanted.map(({ accountId, request: { key } }) => erasedKeyOf(accountId, key)),
      wanted.map(({ now }) => expiryOf(now, windowHours)),
    ]);
    const byNumber = new Map(rows.map((row) => [Number(row.number), row]));
    return wanted.map((_one, index) => byNumber.get(index + 1));
  }

  /** The kept answer of a request, or the error that refuses it. */
  function openRow(
    row: FoundRow | undefined,
    { accountId, request: { key, fingerprint } }: Wanted,
  ): KeptAnswer | AppError | undefined {
    if (!row) return undefined;
    if (!fingerprint.equals(row.fingerprint)) return commonErrors.idempotency_key_reused();
    const { status, location } = row;
    if (status === erasedStatus) return commonErrors.idempotency_answer_erased();
    return { status, location, body: openBody(row.sealed, contextOf(accountId, key), secretBox) };
  }

  return {
    async find({ accountId, now }, request) {
      const payer = currentPayer();
      const search = { ...Promise.withResolvers<FoundRow | undefined>(), accountId, request, now };
      searches.add(search);
      const row = await search.promise;
      // Each caller opens its own answer and pays for it: one that does not open fails no other call of the statement.
      workFor(payer);
      const found = openRow(row, search);
      if (found instanceof AppError) throw found;
      return found;
    },
    async claim({ query: queryTx, accountId, now }, requests) {
      const keys = requests.map(({ key }) => key);
      // Sent together. The search runs after the locks were tried, and only its results for locked keys are used.
      const wanted = requests.map((request) => ({ accountId, now, request }));
      const [locks, rows, [storage]] = await Promise.all([
        queryTx(tryLocks, [accountId, keys]),
        findRows(queryTx, wanted),
        queryTx(compareStorage, [accountId, storageMaxBytes]),
      ]);
      const locked = new Set(locks.filter(({ taken }) => taken).map(({ key }) => key));
      return requests.map(({ key }, index) => {
        if (!locked.has(key)) return commonErrors.idempotency_in_progress({ retryAfterSeconds });
        const found = openRow(rows[index], wanted[index]!);
        if (found) return found;
        if (!storage!.is_full) return undefined;
        return commonErrors.idempotency_storage_full({ retryAfterSeconds: retryWhenFullSeconds });
      });
    },
    keep({ defer, accountId, now }, answers) {
      const rows = answers.map(({ request: { key, fingerprint }, answer: { status, location, body } }) => {
        const sealed = body === null ? null : secretBox.sealBytes(compress(body), contextOf(accountId, key));
        const bytes = rowBytes + key.length + (sealed?.length ?? 0);
        return { key, fingerprint, status, location, sealed, bytes };
      });
      defer(keepAnswers, [
        accountId,
        rows.map(({ key }) => key),
        rows.map(({ fingerprint }) => fingerprint),
        rows.map(({ status }) => status),
        rows.map(({ location }) => location),
        rows.map(({ sealed }) => sealed),
        rows.map(({ bytes }) => bytes),
        now,
        randomInt(1, slots + 1),
      ]);
    },
  };
}

const openBody = (sealed: Buffer | null, context: string, secretBox: SecretBox): string | null =>
  sealed && brotliDecompressSync(secretBox.openBytes(sealed, context)).toString('utf8');

/**
 * The lowest quality that finds repetitions. A bulk answer becomes an eighth of its size in half a millisecond. Higher qualities
 * save 5 % more and take ten times as long (infra/decisions/20261122-idempotency-storage-limit.md).
 */
const compressionQuality = 1;

const compress = (body: string): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: compressionQuality } });

// Each search is a look-up of its own: prepared plans from the time when the table was empty would read all of it.
const findAnswers = statement({
  name: 'idempotency.find_answers',
  text: `
    select w.number, a.fingerprint, a.status, a.location, a.sealed
    from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])
      with ordinality as w (account_id, key, erased_key, expired_at, number)
    cross join lateral (
      select k.fingerprint, k.status, k.location, k.sealed from idempotency.kept_answer k
      where k.account_id = w.account_id and k.key in (w.key, w.erased_key) and k.created_at > w.expired_at limit 1
    ) a`,
  row: {
    number: column.digits,
    fingerprint: column.bytes,
    status: column.integer,
    location: nullable(column.text),
    sealed: nullable(column.bytes),
  },
});

// Locks digests of account and key. Two keys with the same digest would take turns, which does no harm.
const tryLocks = statement({
  name: 'idempotency.try_locks',
  text: `
    select key, pg_try_advisory_xact_lock(hashtextextended($1::text || ' ' || key, 7216340553)) as taken
    from unnest($2::text[]) as k (key)`,
  row: { key: column.text, taken: column.boolean },
});

const compareStorage = statement({
  name: 'idempotency.compare_storage',
  text: `
    select coalesce(sum(bytes), 0) >= $2::bigint as is_full from idempotency.kept_bytes where account_id = $1`,
  row: { is_full: column.boolean },
});

// Replaces expired answers that have not been deleted yet. Their bytes stay counted until the next sweep.
const keepAnswers = statement({
  name: 'idempotency.keep_answers',
  text: `
    with kept as (
      insert into idempotency.kept_answer
        (account_id, key, fingerprint, status, location, sealed, bytes, created_at)
      select $1, key, fingerprint, status, location, sealed, bytes, $8
      from unnest($2::text[], $3::bytea[], $4::int[], $5::text[], $6::bytea[], $7::int[])
        as k (key, fingerprint, status, location, sealed, bytes)
      on conflict (account_id, key) do update set
        fingerprint = excluded.fingerprint, status = excluded.status, location = excluded.location,
        sealed = excluded.sealed, created_at = excluded.created_at, bytes = excluded.bytes
    )
    insert into idempotency.kept_bytes as total (account_id, slot, bytes)
    select $1, $9::int, sum(added) from unnest($7::int[]) as b (added)
    on conflict (account_id, slot) do update set bytes = total.bytes + excluded.bytes`,
});

const contextOf = (accountId: string, key: string): string => `${accountId} ${key}`;

/** Answers that were kept at or before this time have expired. */
export const expiryOf = (now: Date, windowHours: number): Date =>
  new Date(now.getTime() - windowHours * 3_600_000);

const deleteOld = createOldRowsDeleter({ table: 'idempotency.kept_answer', time: 'created_at' });

/** Accounts in one statement. */
const accountsMax = 200;

const selectAccounts = statement({
  name: 'idempotency.select_accounts',
  text: `
    select distinct account_id from idempotency.kept_bytes where account_id > $1 order by account_id limit $2`,
  allAccounts: 'The bytes of every account are corrected.',
  row: { account_id: column.id },
});

// Answers and their byte count change in one transaction, so their difference in one snapshot is exact while other transactions
// write. It is added to the part of the sweep. Two sweeps at the same time would add it twice; the next sweep corrects that.
const correctCounts = statement({
  name: 'idempotency.correct_counts',
  text: `
    with counted as (
      select account_id, sum(bytes) as bytes from idempotency.kept_bytes where account_id = any($1) group by account_id
    ), kept as (
      select account_id, sum(bytes) as bytes from idempotency.kept_answer where account_id = any($1) group by account_id
    )
    insert into idempotency.kept_bytes as total (account_id, slot, bytes)
    select account_id, 0, coalesce(kept.bytes, 0) - counted.bytes
    from counted left join kept using (account_id)
    where coalesce(kept.bytes, 0) <> counted.bytes
    on conflict (account_id, slot) do update set bytes = total.bytes + excluded.bytes`,
});

/**
 * Deletes expired answers in short transactions, at most those of the oldest two days, and subtracts their bytes from the counts of
 * their accounts. Returns the number of deleted answers.
 */
export async function deleteExpiredAnswers(
  pool: Database['pool'],
  { now, windowHours }: { now: Date; windowHours: number },
): Promise<number> {
  const query = queryOn(pool);
  const deleted = await deleteOld(query, { before: expiryOf(now, windowHours) });
  await correctKeptBytes(query);
  return deleted;
}

async function correctKeptBytes(query: Query): Promise<void> {
  let after = lowestId;
  for (;;) {
    const rows = await query(selectAccounts, [after, accountsMax]);
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.account_id);
    await query(correctCounts, [ids]);
    after = ids.at(-1)!;
  }
}

/** Limits of one part: answers, stored bytes, and bytes after decompression. They bound the time on the thread. */
const answersMax = 200;
const partBytesMax = 2 * 1024 * 1024;
const openBytesMax = 8 * 1024 * 1024;

// A first answer that is larger is read alone. $3: kept at that time or earlier.
const selectAnswers = statement({
  name: 'idempotency.select_answers',
  text: `
    select key, sealed from (
      select page.*, row_number() over listed as number,
        sum(coalesce(octet_length(sealed), 0)) over listed as total
      from (
        select k.key, k.sealed from idempotency.kept_answer k
        where k.account_id = $1 and k.key > $2 and k.created_at <= $3::timestamptz order by k.key limit ${answersMax}
      ) page window listed as (order by key)
    ) numbered
    where number = 1 or total <= ${partBytesMax} order by key`,
  row: { key: column.text, sealed: nullable(column.bytes) },
});

// A repeated request is refused and not made again. The sweep corrects the count of the bytes. $2: keys, $3: their names from now on.
const eraseAnswers = statement({
  name: 'idempotency.erase_answers',
  text: `
    with named as (
      select key, kept_as from unnest($2::text[], $3::text[]) as n (key, kept_as)
    ), gone as (
      delete from idempotency.kept_answer g using named where g.account_id = $1 and g.key = named.key and named.kept_as <> named.key
      returning g.key, g.fingerprint, g.created_at
    ), renamed as (
      insert into idempotency.kept_answer (account_id, key, fingerprint, status, created_at, bytes)
      select $1, r.kept_as, gone.fingerprint, ${erasedStatus}, gone.created_at, ${rowBytes} from gone join named r using (key)
      on conflict (account_id, key) do update set fingerprint = excluded.fingerprint, created_at = excluded.created_at,
        status = excluded.status, location = null, sealed = null, bytes = excluded.bytes
    )
    update idempotency.kept_answer a
    set status = ${erasedStatus}, location = null, sealed = null, bytes = ${rowBytes}
    from named where a.account_id = $1 and a.key = named.key and named.kept_as = named.key`,
});

/** Stands in for a key that names an erased person. A request with the key still finds the answer. */
const erasedKeyOf = (accountId: string, key: string): string =>
  `erased:${createHash('sha256').update(`${accountId} ${key}`).digest('hex')}`;

/** Erases the answers that name an address, of a bounded part, and replaces keys that name it by their hash. */
export const createAnswerEraser =
  ({ secretBox }: { secretBox: SecretBox }): ErasePerson =>
  async ({ query, accountId }, { email, until }, cursor) => {
    const rows = await query(selectAnswers, [accountId, cursor ?? '', until]);
    const keptAs = new Map<string, string>();
    let last: string | null = null;
    let openBytes = 0;
    for (const row of rows) {
      const body = openBody(row.sealed, contextOf(accountId, row.key), secretBox);
      const isKeyNamed = namesAddress(row.key, email);
      if (isKeyNamed || (body !== null && namesAddress(body, email)))
        keptAs.set(row.key, isKeyNamed ? erasedKeyOf(accountId, row.key) : row.key);
      last = row.key;
      openBytes += body?.length ?? 0;
      if (openBytes > openBytesMax) break;
    }
    if (keptAs.size > 0) await query(eraseAnswers, [accountId, [...keptAs.keys()], [...keptAs.values()]]);
    return last;
  };
