import { idTime, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { Execution } from './execution.ts';
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

/** How many executions one page looks at while few of them have the wanted outcome or session, which no index knows. */
const lookedAtMax = 5000;

const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * What rules of a webinar made of events, newest first: the answer to "why did it not fire". Where few have the wanted
 * outcome or session a page may be short and still name the next.
 */
export async function listExecutions(reader: AccountReader, { limit, cursor, ...filters }: ExecutionQuery) {
  const { outcome, sessionId, ...scope } = filters;
  const conditions = toConditions(scope);
  const sieve = toConditions({ outcome, sessionId });
  const walk = `
    select id, outcome, session_id from automations.execution
    where ${['account_id = ?', ...conditions.map(({ sql }) => sql), 'id < ?'].join(' and ')}
    order by id desc`;
  const listScope = { list: 'executions', accountId: reader.accountId, filters };
  const values = [
    reader.accountId,
    ...conditions.map(({ value }) => value),
    cursorId(cursor, listScope) ?? highestId,
  ];
  const found = await findIds(
    reader,
    `select id from (${walk} limit ${lookedAtMax}) looked_at
     where ${['true', ...sieve.map(({ sql }) => sql)].join(' and ')} order by id desc limit ?`,
    [...values, ...sieve.map(({ value }) => value), limit + 1],
  );
  const [stoppedAt] =
    found.length > limit || sieve.length === 0
      ? []
      : await findIds(reader, `${walk} limit 1 offset ${lookedAtMax - 1}`, values);
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
