// Processes of the former version go on while this one migrates, so the new schema must have what their statements name.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { describeStatement } from '../support/describe-statement.ts';

const read = (name: string): string => readFileSync(new URL(`../../infra/${name}`, import.meta.url), 'utf8');

/** `npm run release` writes them. */
const { commit, statements } = JSON.parse(read('former-statements.json')) as {
  commit: string;
  statements: { name: string; text: string }[];
};

/** Entities of dropped tables that no code of the former version reads or writes: none of its other statements names them. */
const unused = new Set(['entity RevenueSuspendedAccount']);

/** The statements that Postgres cannot prepare, by their names. */
async function findRefused(client: pg.Client): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  for (const { name, text } of statements.filter((statement) => !unused.has(statement.name)))
    await describeStatement(client, text).catch((error: Error) =>
      refused.set(name, `${error.message} in: ${text}`),
    );
  return refused;
}

test('the statements are those of the former version', () => {
  expect(commit).toBe(read('former-version').trim());
});

test('the schema has everything that the statements of the former version name, and a column that it lacks is found', async () => {
  await using db = await testDatabase();
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  try {
    expect(statements.length).toBeGreaterThan(500);
    expect(await findRefused(client)).toEqual(new Map());

    await client.query(`
      alter table webinars.webinar drop column registration_page;
      alter table attendees.registration drop column email cascade`);
    const refused = await findRefused(client);
    // Only the ORM reads it.
    expect(refused.get('entity Webinar')).toContain('column "registration_page" does not exist');
    const declared = [...refused].filter(([name]) => !name.startsWith('entity '));
    expect(declared.map(([, message]) => message)).toContainEqual(
      expect.stringContaining('column "email" does not exist'),
    );
  } finally {
    await client.end();
  }
});
