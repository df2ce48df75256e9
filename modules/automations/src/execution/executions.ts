import type { SkipReason } from '@service/catalogue';
import { isRevenueField } from '@service/conditions';
import {
  column,
  highestId,
  idAt,
  idTime,
  lowestIdSince,
  statement,
  withinBytes,
  withinBytesColumns,
  type AccountReader,
  type RowsOf,
} from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { findContactOutcomes } from '@service/contacts';
import { findMailOutcomes } from '@service/mails';
import { cursorId, mayRead, toPage, type Principal } from '@service/trpc';
import type { z } from 'zod';
import { executionRow, type Execution } from '../entities.ts';
import type { ExecutionOutput } from './schemas.ts';

interface ExecutionQuery {
  webinarId: string;
  ruleId?: string;
  registrationId?: string | undefined;
  sessionId?: string | undefined;
  outcome?: Execution['outcome'] | undefined;
  skipReason?: SkipReason | undefined;
  /** ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Rows that one page reads at most. The filters on outcome, reason and session have no index. */
const rowsMax = 5000;

// $1 account, $2 webinar, $3 rule or null, $4 registration or null, $5 the id to start below, $6 the lowest id. These statements
// have no name: Postgres then plans each call anew and uses the index of the filter that is given.
const newest = `
    select * from automations.execution
    where account_id = $1 and webinar_id = $2 and ($3::uuid is null or rule_id = $3)
      and ($4::uuid is null or registration_id = $4) and id < $5 and id >= $6
    order by id desc`;

/** $7 outcome or null, $8 session or null, $9 skip reason or null, $10 limit. */
const selectPage = statement({
  text: withinBytes(
    `select * from (${newest} limit ${rowsMax}) newest
     where ($7::text is null or outcome = $7) and ($8::uuid is null or session_id = $8)
       and ($9::text is null or skip_reason = $9)
     order by id desc limit $10`,
    { wide: ['condition_results'], orderBy: 'id desc' },
  ),
  row: { ...executionRow.columns, ...withinBytesColumns },
});

const selectLastSearched = statement({
  text: `select id from (${newest} limit 1 offset ${rowsMax - 1}) searched`,
  row: { id: column.id },
});

const dayMs = 86_400_000;
/** UTC days that a search goes back before the day it starts in, until a page is full. The last one goes back to the end. */
const searchedDays = [1, 14];

/** The ids at which searches end. Each statement is planned for all partitions of its days, so most pages read only the newest days. */
function startsOf({ after, first }: { after: string; first: string }, now: Date): string[] {
  const newestMs = Math.min(idTime(after).getTime(), now.getTime());
  const starts = searchedDays.map((days) => idAt(new Date((Math.floor(newestMs / dayMs) - days) * dayMs)));
  return [...starts.filter((start) => start > first), first];
}

/** Lists executions, newest first. If few rows match outcome, reason and session, a page is short and still has a next page. */
export async function listExecutions(
  reader: AccountReader,
  deliveries: Pick<Deliveries, 'summaries'>,
  { limit, cursor, ...filters }: ExecutionQuery,
) {
  const { webinarId, ruleId, registrationId, outcome, sessionId, skipReason, from, to } = filters;
  const { accountId } = reader;
  const scope = { list: 'executions', accountId, filters };
  const after = cursorId(cursor, scope) ?? (to === undefined ? highestId : idAt(new Date(to)));
  // No execution is older than its webinar, so those of a new webinar are one statement.
  const oldest = lowestIdSince(webinarId);
  const start = from === undefined ? oldest : idAt(new Date(from));
  const first = start > oldest ? start : oldest;
  const narrowed = [outcome ?? null, sessionId ?? null, skipReason ?? null];
  const isNarrowed = narrowed.some((filter) => filter !== null);
  let rows: RowsOf<typeof selectPage>[] = [];
  let found = 0;
  let last: { id: string } | undefined;
  for (const end of startsOf({ after, first }, reader.now)) {
    const searched = [accountId, webinarId, ruleId ?? null, registrationId ?? null, after, end];
    rows = await reader.query(selectPage, [...searched, ...narrowed, limit + 1]);
    found = rows[0]?.found ?? 0;
    if (found > limit) break;
    if (isNarrowed) [last] = await reader.query(selectLastSearched, searched);
    if (last) break;
  }
  const page = toPage(rows, { limit, scope, stoppedAt: last?.id, found, toItem: executionRow.toEntity });
  const outcomesOf = await loadOutcomes(reader, deliveries, page.data);
  return { ...page, data: page.data.map((one) => executionToOutput(one, outcomesOf(one))) };
}

type Listed = z.input<typeof ExecutionOutput>;
type Outcome = Listed['actions'][number];

const excessOutcome = { status: 'suppressed', reason: 'too_many' } as const;

/** Reads the outcomes of the actions of executions. An action whose delivery, mail or send is no longer kept is left out. */
async function loadOutcomes(
  reader: AccountReader,
  deliveries: Pick<Deliveries, 'summaries'>,
  executions: readonly Execution[],
): Promise<(execution: Execution) => Outcome[]> {
  const sent = await deliveries.summaries(
    reader,
    executions.flatMap(({ deliveryId }) => deliveryId ?? []),
  );
  const outcomes = await findMailOutcomes(
    reader,
    executions.flatMap(({ mails }) => mails.map(({ mailId }) => mailId)),
  );
  const contactOutcome = await findContactOutcomes(
    reader,
    executions.filter(({ contacts }) => contacts.length > 0),
  );
  return ({ id, deliveryId, mails, contacts }) => {
    const delivery = sent.get(deliveryId ?? '');
    const webhook: Outcome[] = delivery
      ? [
          {
            type: 'webhook',
            actionId: delivery.endpointId,
            deliveryId: delivery.id,
            status: delivery.status,
          },
        ]
      : [];
    const emails = mails.flatMap(({ actionId, mailId, isExcess }): Outcome[] => {
      const outcome = isExcess ? excessOutcome : outcomes.get(mailId);
      return outcome ? [{ type: 'email', actionId, mailId, ...outcome }] : [];
    });
    const integrations = contacts.flatMap(({ actionId, connectionId }): Outcome[] => {
      const status = contactOutcome(id, connectionId);
      return status === undefined ? [] : [{ type: 'integration', actionId, connectionId, status }];
    });
    return [...webhook, ...emails, ...integrations];
  };
}

const executionToOutput = (execution: Execution, actions: Outcome[]): Listed => ({
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
  actions,
  createdAt: idTime(execution.id).toISOString(),
});

/** Newest executions of a rule that are searched. A rule that hardly ever fires may have a million. */
const searchedMax = 1000;

const selectLastFired = statement({
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
  row: { rule_id: column.id, id: column.id },
});

/** The last firing of each rule, by rule id. Leaves out a rule that did not fire in its last thousand executions. */
export async function lastFiredAt(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  ruleIds: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await query(selectLastFired, [accountId, ruleIds]);
  return new Map(rows.map((row) => [row.rule_id, idTime(row.id)]));
}

/**
 * A page of executions as a principal may read it, the same on every surface. The results of conditions contain facts about attendees,
 * such as answers and custom fields: clients that may not read registrations get no actual values and no
 * answers of mail servers, which may name an address, and clients that may not read
 * revenue no conditions on purchases.
 */
export function hideFacts<Page extends { data: Listed[] }>(principal: Principal, page: Page): Page {
  const mayReadRevenue = mayRead(principal, 'revenue:read');
  const mayReadFacts = mayRead(principal, 'registrations:read');
  if (mayReadRevenue && mayReadFacts) return page;
  const data = page.data.map((execution) => ({
    ...execution,
    conditions: execution.conditions
      .filter(({ field }) => mayReadRevenue || !isRevenueField(field))
      .map((result) => (mayReadFacts ? result : { ...result, actual: null })),
    actions: execution.actions.map((action) =>
      mayReadFacts || action.type === 'webhook' ? action : { ...action, reason: null },
    ),
  }));
  return { ...page, data };
}
