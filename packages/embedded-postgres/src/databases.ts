import { Client } from 'pg';

export interface CreateDatabaseOptions {
  /** Copy this database instead of an empty one; nobody may be connected to it. */
  template?: string;
}

/** Creates a database unless it exists and returns its URL. `adminUrl` is another database of the same server. */
export async function createDatabase(
  adminUrl: string,
  name: string,
  { template }: CreateDatabaseOptions = {},
): Promise<string> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) {
      const copy = template ? ` template ${client.escapeIdentifier(template)} strategy wal_log` : '';
      await client.query(`create database ${client.escapeIdentifier(name)}${copy}`);
    }
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}
