import { randomUUID } from 'node:crypto';
import { activityRouter } from '@service/activity';
import { createId, idAt, type Database } from '@service/database';
import { createLog } from '@service/log';
import { createReply } from '@service/trpc';
import type { FilledActivity } from './activity-rows.ts';
import { median } from './median.ts';

export interface Read {
  name: string;
  /** The whole call, as the dashboard makes it. */
  ms: number;
  /** The ceiling's time to this one's. */
  ratio: number;
  /** Calls and counts that were looked at, given or thrown away. */
  rows: number;
  buffers: number;
  /** Partitions of calls that were visited. */
  partitions: number;
  indexes: string[];
}

type Em = ReturnType<Database['fork']>;

interface Statement {
  sql: string;
  values: unknown[];
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const newest =
  'select * from activity.api_call where account_id = ? and id >= ? and id < ? order by id desc limit 26';

/** The first page and the histogram for each filter, beside the plain scan of the newest page. */
export async function measureReads(
  database: Database,
  filled: FilledActivity,
  { rounds, now }: { rounds: number; now: Date },
): Promise<Read[]> {
  const { accountId, busyKeyId, rareKeyId, requestId } = filled;
  const { statements, dashboard } = openDashboard(database, accountId, now);
  const range = 'last_90_days' as const;
  const lists = {
    'all, last 24 hours': {},
    'all, last 90 days': { range },
    MCP: { range, surface: 'mcp' },
    'a busy key': { range, keyId: busyKeyId },
    'a key used twice': { range, keyId: rareKeyId },
    failures: { range, status: 'failure' },
    'failures of a busy key over MCP': { range, keyId: busyKeyId, surface: 'mcp', status: 'failure' },
    'failures of a key used twice': { range, keyId: rareKeyId, status: 'failure' },
    'a request id': { range, requestId },
  } as const;
  const reads: [name: string, read: () => Promise<unknown>][] = [
    ...Object.entries(lists).map(
      ([name, filter]) => [`list: ${name}`, () => dashboard.list(filter)] as [string, () => Promise<unknown>],
    ),
    ...(['last_hour', 'last_24_hours', 'last_7_days', 'last_30_days', 'last_90_days'] as const).map(
      (range) =>
        [`histogram: ${range}`, () => dashboard.histogram({ range })] as [string, () => Promise<unknown>],
    ),
    ['histogram: last_90_days, a busy key', () => dashboard.histogram({ range, keyId: busyKeyId })],
    ['keys', () => dashboard.keys()],
  ];

  const em = database.fork();
  const newestSince = (ms: number): Statement => ({
    sql: newest,
    values: [accountId, idAt(new Date(now.getTime() - ms)), idAt(new Date(now.getTime() + 1))],
  });
  const [ceiling, everywhere] = [newestSince(3_600_000), newestSince(90 * 86_400_000)];
  const ceilingMs = await time(rounds, () => em.execute(ceiling.sql, ceiling.values));
  const everywhereMs = await time(rounds, () => em.execute(everywhere.sql, everywhere.values));
  const results: Read[] = [
    {
      name: 'ceiling: the newest page of its day',
      ms: ceilingMs,
      ratio: 1,
      ...(await explain(em, [ceiling])),
    },
    {
      name: 'the same asked of ninety days',
      ms: everywhereMs,
      ratio: ceilingMs / everywhereMs,
      ...(await explain(em, [everywhere])),
    },
  ];
  for (const [name, read] of reads) {
    const ms = await time(rounds, read);
    statements.length = 0;
    await read();
    results.push({ name, ms, ratio: ceilingMs / ms, ...(await explain(em, [...statements])) });
  }
  return results;
}

/** The dashboard's procedures, and the statements they sent. */
function openDashboard(database: Database, accountId: string, now: Date) {
  const statements: Statement[] = [];
  const fork = (): Em => {
    const em = database.fork();
    const execute = em.execute.bind(em);
    em.execute = ((sql: string, values: unknown[] = []) => {
      statements.push({ sql, values });
      return execute(sql, values);
    }) as Em['execute'];
    return em;
  };
  const dashboard = activityRouter.createCaller({
    principal: { kind: 'member', accountId, userId: randomUUID(), name: 'Max', role: 'member' },
    database: { ...database, fork },
    now,
    log: createLog('bench', { level: 'warn' }),
    requestId: createId(),
    reply: createReply(),
  });
  return { statements, dashboard };
}

async function time(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds * 10 + 5; round += 1) {
    const started = performance.now();
    await work();
    // The first ones warm everything up.
    if (round >= 5) times.push(performance.now() - started);
  }
  return median(times);
}

async function explain(
  em: Em,
  statements: readonly Statement[],
): Promise<Pick<Read, 'rows' | 'buffers' | 'partitions' | 'indexes'>> {
  const partitions = new Set<string>();
  const indexes = new Set<string>();
  let [rows, buffers] = [0, 0];
  for (const { sql, values } of statements) {
    const [answer] = await em.execute<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `explain (analyze, buffers, format json) ${sql}`,
      values,
    );
    const root = answer!['QUERY PLAN'][0]!.Plan;
    buffers += root['Shared Hit Blocks'] + root['Shared Read Blocks'];
    for (const node of nodesOf(root)) {
      if (node['Actual Loops'] === 0) continue;
      if (/^api_call_[0-9d]/.test(node['Relation Name'] ?? '')) partitions.add(node['Relation Name']!);
      if (node['Index Name']) indexes.add(node['Index Name'].replace(/api_call_\d+/, 'api_call_DAY'));
      if (node['Relation Name'])
        rows += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    }
  }
  return { rows: Math.round(rows), buffers, partitions: partitions.size, indexes: [...indexes] };
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
