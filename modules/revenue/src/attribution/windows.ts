import { defineEntity, p } from '@mikro-orm/postgresql';
import { column, statement, type AccountQueries, type AccountReader } from '@service/database';
import { findAttributionWindows, type attributionWindows } from '@service/webinars';
import type { Touch } from '../credit.ts';

export type WindowDays = (typeof attributionWindows)[number];

const windowDaysDefault: WindowDays = 30;

/** The settings of a workspace. Without a row it has the defaults. */
export const RevenueSetting = defineEntity({
  name: 'RevenueSetting',
  tableName: 'setting',
  schema: 'revenue',
  checks: [{ name: 'setting_window_days_check', expression: 'window_days in (1, 7, 14, 30, 60, 90)' }],
  properties: {
    accountId: p.uuid().primary(),
    windowDays: p.integer(),
    changedAt: p.datetime(3),
  },
});

const selectDefault = statement({
  name: 'revenue.select_window',
  text: 'select window_days as "windowDays" from revenue.setting where account_id = $1',
  row: { windowDays: column.integer },
});

/** The attribution window of the workspace, in days. */
export async function defaultWindow({ query, accountId }: AccountQueries): Promise<WindowDays> {
  const [row] = await query(selectDefault, [accountId]);
  return (row?.windowDays as WindowDays | undefined) ?? windowDaysDefault;
}

const upsertDefault = statement({
  name: 'revenue.upsert_window',
  text: `
    insert into revenue.setting (account_id, window_days, changed_at) values ($1, $2, $3)
    on conflict (account_id) do update set window_days = excluded.window_days, changed_at = excluded.changed_at`,
});

export async function storeDefaultWindow(
  { query, accountId, now }: AccountQueries & Pick<AccountReader, 'now'>,
  windowDays: WindowDays,
): Promise<void> {
  await query(upsertDefault, [accountId, windowDays, now]);
}

/** The windows that apply to these touches. */
export async function findWindows(reader: AccountQueries, touches: readonly Touch[]) {
  const webinarIds = touches.map(({ webinarId }) => webinarId);
  const [defaultDays, daysByWebinar] = await Promise.all([
    defaultWindow(reader),
    findAttributionWindows(reader, webinarIds),
  ]);
  return { defaultDays, daysByWebinar };
}
