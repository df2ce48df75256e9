// The rows of timers, and the rules that have some. Every statement takes rows in the same order, so that no two transactions deadlock.
import type { AttendeeEventType } from '@service/attendees';
import {
  column,
  createId,
  nullable,
  statement,
  type AccountReader,
  type AccountWriter,
  type RowsOf,
} from '@service/database';
import { timerRow, type Timer } from '../entities.ts';
import { rowToRule, type LoadedRule, type RuleRow } from '../evaluation/webinar-rules.ts';
import { isTimerTrigger, timerEventTypes, type TimerTrigger } from '../event-type/event-types.ts';

/** A timer to be written. With an id it is a timer that was taken and is written back. */
export interface TimerDraft {
  id?: string;
  ruleId: string;
  webinarId: string;
  sessionId: string;
  /** Left out for the timer of a session. */
  registrationId?: string | null | undefined;
  dueAt: Date;
  sourceEvent?: AttendeeEventType | null | undefined;
  sourceAt?: Date | null | undefined;
  afterRegistrationId?: string | null | undefined;
}

const insert = `
  insert into automations.timer (account_id, id, rule_id, webinar_id, session_id, registration_id, due_at, source_event,
    source_at, after_registration_id)
  select $1, id, rule_id, webinar_id, session_id, registration_id, due_at, source_event, source_at, after_registration_id
  from jsonb_to_recordset($2::jsonb) as t
    (id uuid, rule_id uuid, webinar_id uuid, session_id uuid, registration_id uuid, due_at timestamptz, source_event text,
     source_at timestamptz, after_registration_id uuid)
  order by rule_id, session_id, registration_id, due_at
  on conflict on constraint timer_unique`;

// Does not lock an existing timer, so a second registration does not wait for the first.
const insertMissing = statement({ name: 'automations.insert_missing_timers', text: `${insert} do nothing` });

const upsert = statement({
  name: 'automations.put_timers',
  text: `${insert} do update set
    due_at = excluded.due_at, source_at = excluded.source_at, after_registration_id = excluded.after_registration_id`,
});

/** Inserts the timers that do not exist yet and leaves the others as they are. */
export function addTimers(tx: AccountWriter, drafts: readonly TimerDraft[]): void {
  if (drafts.length > 0) tx.defer(insertMissing, [tx.accountId, toJson(drafts)]);
}

/** Inserts timers, or moves existing ones, which then start again with the first registration. */
export function putTimers(tx: AccountWriter, drafts: readonly TimerDraft[]): void {
  if (drafts.length > 0) tx.defer(upsert, [tx.accountId, toJson(drafts)]);
}

const toJson = (drafts: readonly TimerDraft[]): string =>
  JSON.stringify(
    drafts.map((draft) => ({
      id: draft.id ?? createId(),
      rule_id: draft.ruleId,
      webinar_id: draft.webinarId,
      session_id: draft.sessionId,
      registration_id: draft.registrationId,
      due_at: draft.dueAt,
      source_event: draft.sourceEvent,
      source_at: draft.sourceAt,
      after_registration_id: draft.afterRegistrationId,
    })),
  );

const deleteOfSessions = statement({
  name: 'automations.delete_session_timers',
  text: `
    delete from automations.timer t using unnest($2::uuid[], $3::uuid[]) as d (rule_id, session_id)
    where t.account_id = $1 and t.rule_id = any($2::uuid[]) and t.session_id = any($3::uuid[])
      and t.rule_id = d.rule_id and t.session_id = d.session_id and t.registration_id is null
      and ($4::timestamptz is null or t.due_at > $4)`,
});

/** Deletes timers of sessions. With `dueAfter` only those that are due later. */
export function deleteTimers(
  tx: AccountWriter,
  timers: readonly Pick<TimerDraft, 'ruleId' | 'sessionId'>[],
  { dueAfter }: { dueAfter?: Date } = {},
): void {
  if (timers.length === 0) return;
  const keys = [timers.map(({ ruleId }) => ruleId), timers.map(({ sessionId }) => sessionId)];
  tx.defer(deleteOfSessions, [tx.accountId, ...keys, dueAfter ?? null]);
}

// A due timer is deleted first, and written back if it has more to do. A transaction that adds the same timer meanwhile waits,
// and then finds either a timer that has not reached its registration yet, or none.
const take = statement({
  name: 'automations.take_timers',
  text: `
    with due as materialized (
      select id from automations.timer
      where account_id = $1 and id = any($2::uuid[]) and due_at <= $3
      order by id for update skip locked
    )
    delete from automations.timer t using due where t.account_id = $1 and t.id = due.id
    returning t.*`,
  row: timerRow.columns,
});

/** Deletes and returns those of some timers that are due and that no other transaction has locked. */
export async function takeTimers(
  { query, accountId }: AccountWriter,
  timerIds: readonly string[],
  dueBy: Date,
): Promise<Timer[]> {
  const rows = await query(take, [accountId, timerIds, dueBy]);
  return rows.map(timerRow.toEntity);
}

/** A rule that has timers. It may have been switched off since they were made. */
export interface TimerRule extends LoadedRule {
  trigger: TimerTrigger;
  webinarId: string;
  enabled: boolean;
}

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

const row = {
  id: column.id,
  name: column.text,
  endpoint_id: nullable(column.id),
  emails: column.json<RuleRow['emails']>(),
  integrations: column.json<RuleRow['integrations']>(),
  generation: column.integer,
  trigger_type: column.text,
  trigger_params: column.json<unknown>(),
  conditions: column.json<RuleRow['conditions']>(),
  fire_mode: nullable(column.textOf<NonNullable<RuleRow['fire_mode']>>()),
  subscription_id: nullable(column.id),
  webinar_id: column.id,
  enabled: column.boolean,
};

const columns = Object.keys(row).join(', ');

const selectByIds = statement({
  name: 'automations.select_timer_rules',
  text: `
    select ${columns} from automations.rule
    where account_id = $1 and id = any($2::uuid[]) and trigger_type in ('${timerEventTypes.join(`', '`)}')`,
  row,
});

/** Finds rules by id. Leaves out those that were deleted or have a trigger without timers by now. */
export async function findTimerRules(
  { query, accountId }: Reader,
  ruleIds: readonly string[],
): Promise<Map<string, TimerRule>> {
  const rules = toTimerRules(await query(selectByIds, [accountId, [...new Set(ruleIds)]]));
  return new Map(rules.map((rule) => [rule.id, rule]));
}

const selectOfWebinars = statement({
  name: 'automations.select_session_timer_rules',
  text: `
    select ${columns} from automations.rule
    where account_id = $1 and webinar_id = any($2::uuid[]) and trigger_type in ('before_session', 'after_session')
    order by id`,
  row,
});

/** Finds the rules of some webinars that fire before or after a session. */
export const findSessionRules = async (
  { query, accountId }: Reader,
  webinarIds: readonly string[],
): Promise<TimerRule[]> => toTimerRules(await query(selectOfWebinars, [accountId, [...new Set(webinarIds)]]));

const toTimerRules = (rows: readonly RowsOf<typeof selectByIds>[]): TimerRule[] =>
  rows.flatMap((found) => {
    const rule = rowToRule(found);
    if (!rule || !isTimerTrigger(rule.trigger)) return [];
    const { webinar_id: webinarId, enabled } = found;
    return [{ ...rule, trigger: rule.trigger, webinarId, enabled }];
  });
