// A search for secrets in everything that a run wrote: texts such as logs and answers, and all rows of a database.
import type { QueryResultRow } from 'pg';

type QueryRows = <Row extends QueryResultRow>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** The forms in which a secret may have been written. The last one is that of Basic authentication with the name `any`. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(`any:${secret}`).toString('base64').replace(/=+$/, ''),
];

/** The names of the texts that contain one of these secrets in any form. */
export function findInTexts(texts: Readonly<Record<string, string>>, secrets: readonly string[]): string[] {
  const forms = secrets.flatMap(formsOf);
  return Object.entries(texts)
    .filter(([, text]) => forms.some((form) => text.includes(form)))
    .map(([name]) => name);
}

/** The tables of all schemas in which a row contains one of these secrets in any column, also of bytes. */
export async function findInDatabase(query: QueryRows, secrets: readonly string[]): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_t' order by name`,
  );
  const forms = secrets.flatMap(formsOf);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query(
      `select from ${name} as t, unnest($1::text[]) as form where strpos(t::text, form) > 0 limit 1`,
      [forms],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
