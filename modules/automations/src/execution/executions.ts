import { idTime, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { Execution } from '../entities.ts';
import type { ExecutionOutput } from './schemas.ts';

interface ExecutionQuery {
  webinarId: string;
  ruleId?: string;
  registrationId?: string | undefined;
  sessionId?: string | undefined;
  outcome?: Execution['outcome'] | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Rows that one page reads at most. The filters on outcome and session have no index. */
const rowsMax = 5000;

const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Lists executions, newest first. If few rows match outcome and session, a page is short and still has a next page. */
export async function listExecutions(reader: AccountReader, { limit, cursor, ...filters }: ExecutionQuery) {
  const { outcome, sessionId, ...scope } = filters;
  const indexed = toConditions(scope);
  const unindexed = toConditions({ outcome, sessionId });
  const selectRows = `
    select id, outcome, session_id from automations.execution
    where ${['account_id = ?', ...indexed.map(({ sql }) => sql), 'id < ?'].join(' and ')}
    order by id desc`;
  const listScope = { list: 'executions', accountId: reader.accountId, filters };
  const values = [
    reader.accountId,
    ...indexed.map(({ value }) => value),
    cursorId(cursor, listScope) ?? highestId,
  ];
  const found = await findIds(
    reader,
    `select id from (${selectRows} limit ${rowsMax}) newest
     where ${['true', ...unindexed.map(({ sql }) => sql)].join(' and ')} order by id desc limit ?`,
    [...values, ...unindexed.map(({ value }) => value), limit + 1],
  );
  const [stoppedAt] =
    found.length > limit || unindexed.length === 0
      ? []
      : await findIds(reader, `${selectRows} limit 1 offset ${rowsMax - 1}`, values);
  const executions = await reader.em.find(
    Execution,
    { accountId: reader.accountId, id: { $in: found } },
    { orderBy: { id: 'desc' } },
  );
  return toPage(executions, { limit, scope: listScope, stoppedAt, toItem: executionToOutput });
}

const columns = {
  webinarId: 'webinar_id',
  ruleId: 'rule_id',
  registrationId: 'registration_id',
  sessionId: 'session_id',
  outcome: 'outcome',
};

const toConditions = (filters: Partial<Record<keyof typeof columns, string>>) =>
  Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ sql: `${columns[name as keyof typeof columns]} = ?`, value }));

async function findIds({ em }: AccountReader, sql: string, values: readonly unknown[]): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(sql, [...values]);
  return rows.map((row) => row.id);
}

const executionToOutput = (execution: Execution): z.input<typeof ExecutionOutput> => ({
  id: execution.id,
  ruleId: execution.ruleId,
  ruleName: execution.ruleName,
  registrationId: execution.registrationId,
  sessionId: execution.sessionId,
  eventId: execution.eventId,
  eventType: execution.eventType,
  outcome: execution.outcome,
  skipReason: execution.skipReason ?? null,
  conditions: execution.conditionResults,
  deliveryId: execution.deliveryId ?? null,
  createdAt: idTime(execution.id).toISOString(),
});

/** Newest executions of a rule that are searched. A rule that hardly ever fires may have a million. */
const searchedMax = 1000;

const selectLastFired = {
  name: 'automations.select_last_fired',
  text: `
    select fired.rule_id, fired.id from unnest($2::uuid[]) as rule (id)
    cross join lateral (
      select newest.rule_id, newest.id from (
        select e.rule_id, e.id, e.outcome from automations.execution e
        where e.account_id = $1 and e.rule_id = rule.id
        order by e.id desc limit ${searchedMax}
      ) newest
      where newest.outcome = 'matched' order by newest.id desc limit 1
    ) fired`,
};

/** The last firing of each rule, by rule id. Leaves out a rule that did not fire in its last thousand executions. */
export async function lastFiredAt(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  ruleIds: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await query<{ rule_id: string; id: string }>(selectLastFired, [accountId, ruleIds]);
  return new Map(rows.map((row) => [row.rule_id, idTime(row.id)]));
}
