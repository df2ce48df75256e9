import type { TestDatabase } from './database.ts';

/** Changes a setting of a database. Connections that are open keep the former value, so those of services are ended. */
export async function configureDatabase({ database }: TestDatabase, setting: string): Promise<void> {
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name');
  const { name } = rows[0]!;
  // The database may be read-only already.
  await database.pool.query(`begin read write; alter database "${name}" ${setting}; commit`);
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1 and pid <> pg_backend_pid() and application_name <> 'test'`,
    [name],
  );
}
