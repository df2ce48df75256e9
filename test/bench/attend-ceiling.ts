// The most heartbeats this machine can write: the rows as they are, once more, in batches and by one prepared statement.
import pg from 'pg';

interface BareOptions {
  accountId: string;
  /** Rows in a transaction. */
  batch: number;
}

const selectRows = `
  select json_build_object('account_id', account_id, 'registration_id', registration_id, 'visits', visits,
    'first_joined_at', first_joined_at, 'join_count', join_count, 'last_seen_at', last_seen_at, 'check_at', check_at,
    'position_seconds', position_seconds, 'watched', encode(watched, 'base64'), 'watched_seconds', watched_seconds,
    'completion_percent', completion_percent) as row
  from attendees.attendance where account_id = $1 order by registration_id`;

const updateRows = {
  name: 'beats',
  text: `
    update attendees.attendance a set
      visits = n.visits, first_joined_at = n.first_joined_at, join_count = n.join_count, last_seen_at = n.last_seen_at,
      check_at = n.check_at, position_seconds = n.position_seconds, watched = decode(n.watched, 'base64'),
      watched_seconds = n.watched_seconds, completion_percent = n.completion_percent
    from json_to_recordset($1::json) as n
      (account_id uuid, registration_id uuid, visits jsonb, first_joined_at timestamptz, join_count int,
       last_seen_at timestamptz, check_at timestamptz, position_seconds int, watched text, watched_seconds int,
       completion_percent int)
    where a.account_id = n.account_id and a.registration_id = n.registration_id`,
};

/** Writes everybody's row once; returns how many a second. Two transactions are under way at once, as in the room. */
export async function measureBareBeats(url: string, { accountId, batch }: BareOptions): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const { rows } = await pool.query<{ row: object }>(selectRows, [accountId]);
  const batches = Array.from({ length: Math.ceil(rows.length / batch) }, (_unused, index) =>
    JSON.stringify(rows.slice(index * batch, (index + 1) * batch).map(({ row }) => row)),
  );
  let next = 0;
  const lane = async (): Promise<void> => {
    const client = await pool.connect();
    while (next < batches.length) {
      const values = [batches[next++]!];
      await client.query('begin');
      await client.query({ ...updateRows, values });
      await client.query('commit');
    }
    client.release();
  };
  const startedAt = performance.now();
  await Promise.all([lane(), lane()]);
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.end();
  return rows.length / seconds;
}
