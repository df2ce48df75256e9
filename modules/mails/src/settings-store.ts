import {
  column,
  nullable,
  statement,
  type AccountQueries,
  type AccountWriter,
  type Query,
} from '@service/database';
import { defaultSettings, type WebinarMails } from './content/webinar-mails.ts';

const select = statement({
  name: 'mails.select_settings',
  text: `
    select k.id, settings, k.id >= (select first_webinar_id from mails.introduction) as is_on
    from unnest($1::uuid[], $2::uuid[]) as k (account_id, id)
    left join mails.webinar_mails m on m.account_id = k.account_id and m.webinar_id = k.id`,
  row: { id: column.id, settings: nullable(column.json<WebinarMails>()), is_on: column.boolean },
});

/** The settings of the mails of webinars, by webinar id. The webinars belong to their accounts. */
export async function loadSettings(
  query: Query,
  webinars: readonly { accountId: string; id: string }[],
): Promise<Map<string, WebinarMails>> {
  const rows = await query(select, [
    webinars.map(({ accountId }) => accountId),
    webinars.map(({ id }) => id),
  ]);
  return new Map(
    rows.map(({ id, settings, is_on: isOn }) => [id, withDefaults(settings, defaultSettings(isOn))]),
  );
}

export const findSettings = async (
  { query, accountId }: AccountQueries,
  webinarId: string,
): Promise<WebinarMails> => (await loadSettings(query, [{ accountId, id: webinarId }])).get(webinarId)!;

/** A mail that was added to the product later has its default text. */
const withDefaults = (settings: WebinarMails | null, defaults: WebinarMails): WebinarMails => ({
  ...defaults,
  ...settings,
  kinds: { ...defaults.kinds, ...settings?.kinds },
});

/** Locks the settings of a webinar, so that changes take turns, also the first ones. */
const lock = statement({
  name: 'mails.lock_settings',
  text: `select pg_advisory_xact_lock(hashtextextended('mails.settings ' || $1::uuid::text || $2::uuid::text, 0))`,
});

export async function lockSettings(tx: AccountWriter, webinarId: string): Promise<WebinarMails> {
  await tx.query(lock, [tx.accountId, webinarId]);
  return findSettings(tx, webinarId);
}

const upsert = statement({
  name: 'mails.store_settings',
  text: `
    insert into mails.webinar_mails (account_id, webinar_id, settings, updated_at, updated_by) values ($1, $2, $3, $4, $5)
    on conflict (account_id, webinar_id) do update
    set settings = excluded.settings, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
});

// A new time of a reminder may be earlier than the next moment of a plan.
const reviseTimers = statement({
  name: 'mails.revise_plans_of_webinar',
  text: `
    update mails.session_timer set due_at = $3
    where account_id = $1 and webinar_id = $2 and kind = 'plan' and due_at > $3`,
});

export async function storeSettings(
  { query, defer, accountId, now }: AccountWriter,
  webinarId: string,
  { settings, updatedBy }: { settings: WebinarMails; updatedBy: string },
): Promise<void> {
  await query(upsert, [accountId, webinarId, JSON.stringify(settings), now, updatedBy]);
  defer(reviseTimers, [accountId, webinarId, now]);
}
