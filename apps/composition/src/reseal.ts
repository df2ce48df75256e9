// `npm run admin -- reseal`: after a change of ENCRYPTION_KEY it seals every stored secret with the new key, so that the former
// key can be left out. It runs beside the service. A value is replaced only if it is still the one that was opened, in a
// statement of its own, so a lock lasts for one row. It may be stopped and started again, and two may run at once.
import { resealTwoFactor } from '@service/accounts';
import { column, nullable, statement, type Database, type Query } from '@service/database';
import type { Command, SealedColumn } from '@service/module';
import { headLengths, keyIdOf, type SecretBox } from '@service/secrets';
import type { AdminParts } from './parts.ts';

type ResealParts = Pick<AdminParts, 'openSecretBox' | 'openSessionSecrets' | 'progress' | 'problem'> & {
  database: Pick<Database, 'query'>;
};

/** Rows whose heads are read with one statement. */
const batchMax = 500;

/** Rows between two lines of progress. */
const progressRows = 10_000;

/** Attempts for a row that changes between its read and its update. */
const attemptsMax = 5;

type Sealed = string | Buffer;

/** A row with a value that the current key did not seal. */
interface StaleRow {
  key: string[];
  keyId: string | undefined;
}

export const createResealCommand = (columns: readonly SealedColumn[]): Command<ResealParts> => {
  const stores = columns.map(createStore);
  return {
    summary:
      'Seals all stored secrets with ENCRYPTION_KEY, so that the keys in ENCRYPTION_KEYS_OLD can be left out. Prints {resealed, left}; exit code 1 while some are left.',
    options: {},
    async run({ database: { query }, openSecretBox, openSessionSecrets, progress, problem }) {
      const secretBox = await openSecretBox();
      let resealed = 0;
      for (const store of stores) resealed += await resealColumn(store, { query, secretBox, progress });
      // Counted at the end over everything: a process with another key may have written in the meantime.
      const ofTwoFactor = await resealTwoFactor(query, await openSessionSecrets());
      resealed += ofTwoFactor.resealed;
      let { left } = ofTwoFactor;
      if (left > 0) problem(`accounts.two_factor: ${left} left, encrypted with another key`);
      for (const store of stores) left += await countLeft(store, { query, secretBox, problem });
      if (left > 0)
        problem(
          'A key that is in use is missing in ENCRYPTION_KEYS_OLD, or a process still has another ENCRYPTION_KEY. Correct that and run reseal again.',
        );
      else
        progress(
          'Nothing that is stored needs a former key. Join links in sent mails and unused refresh tokens of AI clients do, as long as they should work.',
        );
      return { resealed, left };
    },
  };
};

type Store = ReturnType<typeof createStore>;

interface Use {
  query: Query;
  secretBox: SecretBox;
}

async function resealColumn(
  store: Store,
  { query, secretBox, progress }: Use & { progress: (line: string) => void },
): Promise<number> {
  let resealed = 0;
  let seen = 0;
  for await (const { stale, rows } of store.findStale({ query, secretBox })) {
    for (const { key } of stale) if (await resealRow(store, key, { query, secretBox })) resealed += 1;
    const before = seen;
    seen += rows;
    if (Math.floor(seen / progressRows) > Math.floor(before / progressRows))
      progress(`${store.name}: ${seen} rows so far, ${resealed} resealed`);
  }
  progress(`${store.name}: ${seen} rows, ${resealed} resealed`);
  return resealed;
}

/** False if no given key opens the value, or if another program has replaced or removed it. */
async function resealRow(store: Store, key: readonly string[], { query, secretBox }: Use): Promise<boolean> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const [row] = await query(store.read, key);
    if (!row || row.sealed === null || !secretBox.isStale(row.sealed)) return false;
    const next = tryReseal(row.sealed, row.context, secretBox);
    if (next === undefined) return false;
    const [replaced] = await query(store.replace, [...key, row.sealed, next]);
    if (replaced) return true;
  }
  return false;
}

/** Undefined for a value that no given key opens. */
function tryReseal(sealed: Sealed, context: string, secretBox: SecretBox): Sealed | undefined {
  try {
    return typeof sealed === 'string'
      ? secretBox.seal(secretBox.open(sealed, context), context)
      : secretBox.sealBytes(secretBox.openBytes(sealed, context), context);
  } catch {
    return undefined;
  }
}

async function countLeft(
  store: Store,
  { query, secretBox, problem }: Use & { problem: (line: string) => void },
): Promise<number> {
  const counts = new Map<string, number>();
  for await (const { stale } of store.findStale({ query, secretBox }))
    for (const { keyId = 'unknown' } of stale) counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
  for (const [keyId, count] of counts)
    problem(`${store.name}: ${count} left, sealed with the key that has the id ${keyId}`);
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** The statements of a column. They have no name, so that they are planned for the present size of the table. */
function createStore({ table, column: name, type, key, context, hasAccount = true }: SealedColumn) {
  const keys = key.join(', ');
  const value = nullable<Sealed>(type === 'text' ? column.text : column.bytes);
  const parameters = key.map((_column, index) => `$${index + 1}`).join(', ');
  const allAccounts = hasAccount ? { allAccounts: 'The secrets of every account are sealed again.' } : {};
  const batch = (from: string) =>
    statement({
      text: `
        select array[${key.map((part) => `${part}::text`).join(', ')}] as key,
          ${type === 'text' ? 'left' : 'substr'}(${name}, ${type === 'text' ? '' : '1, '}${headLengths[type]}) as head
        from ${table} ${from} order by ${keys} limit ${batchMax}`,
      ...allAccounts,
      row: { key: column.texts, head: value },
    });
  const first = batch('');
  const next = batch(`where (${keys}) > (${parameters})`);

  /** Every row in the order of the key. Heads are enough to find the stale ones, and bodies are long. */
  async function* findStale({ query, secretBox }: Use): AsyncGenerator<{ stale: StaleRow[]; rows: number }> {
    let rows = await query(first, []);
    while (rows.length > 0) {
      const stale = rows.flatMap((row) =>
        row.head === null || !secretBox.isStale(row.head) ? [] : { key: row.key, keyId: keyIdOf(row.head) },
      );
      yield { stale, rows: rows.length };
      rows = rows.length < batchMax ? [] : await query(next, rows.at(-1)!.key);
    }
  }

  const isRow = `(${keys}) = (${parameters})`;
  return {
    name: `${table}.${name}`,
    findStale,
    read: statement({
      text: `
        select ${name} as sealed, concat_ws(' ', ${context.join(', ')}) as context
        from ${table} where ${isRow}`,
      row: { sealed: value, context: column.text },
    }),
    replace: statement({
      text: `
        update ${table} set ${name} = $${key.length + 2} where ${isRow} and ${name} = $${key.length + 1}
        returning true as replaced`,
      row: { replaced: column.boolean },
    }),
  };
}
