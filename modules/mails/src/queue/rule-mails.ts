// The mails of automation rules, as automations queues, cancels and reads them. A text is not stored with its mails: it is read from the
// rule when a mail is sent.
import type { Attendee } from '@service/attendees';
import {
  column,
  createId,
  nullable,
  statement,
  type AccountQueries,
  type AccountWriter,
} from '@service/database';
import type { Purpose } from '../content/mail-kinds.ts';
import type { RuleMail } from '../content/rule-mail.ts';
import type { MailData, MailStatus } from '../entities.ts';
import { countEnded, defaultBacklogMax, firstStatus, refuseBeyond } from './mail-counts.ts';
import { notifyOfMails } from './notify.ts';
import { countMails } from './queue-mails.ts';

/** A mail of one action of a rule that has fired. */
export interface RuleMailDraft extends Pick<RuleMail, 'to' | 'purpose'> {
  rule: { id: string; name: string };
  actionId: string;
  /** The number of times that the rule was switched off before. */
  generation: number;
  registration: Pick<Attendee['registration'], 'id' | 'webinarId' | 'sessionId' | 'email'>;
  expiresAt: Date;
}

const insertMails = statement({
  name: 'mails.queue_rule_mails',
  text: `
    with draft as materialized (
      select * from jsonb_to_recordset($2::jsonb) as d
        (id uuid, "webinarId" uuid, "sessionId" uuid, "registrationId" uuid, purpose text, recipient text, "toAddress" text, data jsonb,
         priority smallint, "expiresAt" timestamptz, "actionId" uuid, generation integer)
    ), ${refuseBeyond('$3', 'draft')}, queued as (
      insert into mails.due (account_id, mail_id, priority, due_at, expires_at, action_id, generation)
      select $1, id, priority, clock_timestamp(), "expiresAt", "actionId", generation from decided where not is_refused
    )
    insert into mails.mail
      (account_id, id, webinar_id, session_id, registration_id, kind, purpose, recipient, to_address, data, status, reason)
    select $1, id, "webinarId", "sessionId", "registrationId", 'rule', purpose, recipient, "toAddress", data, ${firstStatus}
    from decided`,
});

/** They leave after confirmations. */
const priorities: Record<Purpose, number> = { service: 1, marketing: 2 };

/** The id of a mail of a rule. `isExcess`: there is no such mail, because the registration has had a hundred of rules. */
export interface QueuedRuleMail {
  mailId: string;
  isExcess?: true;
}

/**
 * Queues mails with the commit of what they follow from. Returns their ids, in order. A mail to members is one until it is sent. Beyond
 * `backlogMax` waiting mails of the account a mail ends at once as `failed` (`backlog_full`).
 */
export async function queueRuleMails(
  tx: Pick<AccountWriter, 'defer' | 'followCommit' | 'query' | 'accountId'>,
  drafts: readonly RuleMailDraft[],
  backlogMax = defaultBacklogMax,
): Promise<QueuedRuleMail[]> {
  if (drafts.length === 0) return [];
  const ids = drafts.map(({ registration }) => registration.id);
  const addMail = await countMails(tx, ids, { ofRules: true });
  const rows = drafts.map(({ rule, to, purpose, registration, ...draft }) => ({
    ...draft,
    id: createId(),
    webinarId: registration.webinarId,
    sessionId: registration.sessionId,
    registrationId: registration.id,
    purpose,
    recipient: to,
    toAddress: to === 'attendee' ? registration.email : '',
    data: { rule } satisfies MailData,
    priority: priorities[purpose],
  }));
  const excess = new Set(rows.filter(({ registrationId }) => !addMail(registrationId)));
  const queued = rows.filter((row) => !excess.has(row));
  if (queued.length > 0) {
    tx.defer(insertMails, [tx.accountId, JSON.stringify(queued), backlogMax]);
    notifyOfMails(tx);
  }
  return rows.map((row) => (excess.has(row) ? { mailId: row.id, isExcess: true } : { mailId: row.id }));
}

const cancelledMax = 5000;

const cancelWaiting = statement({
  name: 'mails.cancel_rule_mails',
  text: `
    with waiting as materialized (
      select mail_id, case when uncertain_at is null then 'too_late' else 'uncertain' end as status from mails.due
      where account_id = $1 and action_id = any($2::uuid[]) and claim_token is null
      limit ${cancelledMax} for update skip locked
    ), gone as (
      delete from mails.due d using waiting where d.account_id = $1 and d.mail_id = waiting.mail_id
      returning d.account_id, waiting.status
    ), ${countEnded('gone')}
    update mails.mail m set status = waiting.status, reason = $3
    from waiting where m.account_id = $1 and m.id = waiting.mail_id`,
});

export const ruleMailEnded = 'The rule was switched off or changed.';

/**
 * Cancels the waiting mails of actions that were deleted or switched off, 5,000 of them at once. The others end when it is their turn,
 * because their rule has another generation or no such action.
 */
export async function cancelRuleMails(
  { query, accountId }: AccountWriter,
  actionIds: readonly string[],
): Promise<void> {
  if (actionIds.length > 0) await query(cancelWaiting, [accountId, actionIds, ruleMailEnded]);
}

const selectOutcomes = statement({
  name: 'mails.select_outcomes',
  text: `
    select id, status, reason, data from mails.mail where account_id = $1 and id = any($2::uuid[])`,
  row: {
    id: column.id,
    status: column.textOf<MailStatus>(),
    reason: nullable(column.text),
    data: column.json<MailData>(),
  },
});

export interface MailOutcome {
  status: MailStatus;
  reason: string | null;
}

/** The outcomes of mails, by id. Of a mail to members: that of the member whose mail has got least far. */
export async function findMailOutcomes(
  { query, accountId }: AccountQueries,
  ids: readonly string[],
): Promise<Map<string, MailOutcome>> {
  if (ids.length === 0) return new Map();
  const mails = await query(selectOutcomes, [accountId, ids]);
  const copyIds = mails.flatMap(({ data }) => data.copies ?? []);
  const copies = copyIds.length === 0 ? [] : await query(selectOutcomes, [accountId, copyIds]);
  const copyById = new Map(copies.map((copy) => [copy.id, copy]));
  return new Map(
    mails.map((mail) => {
      const all = [mail, ...(mail.data.copies ?? []).flatMap((id) => copyById.get(id) ?? [])];
      const { status, reason } = all.toSorted((one, other) => rankOf(one) - rankOf(other))[0]!;
      return [mail.id, { status, reason }];
    }),
  );
}

const ranks: readonly MailStatus[] = [
  'queued',
  'failed',
  'bounced',
  'uncertain',
  'suppressed',
  'too_late',
  'sent',
];

const rankOf = ({ status }: MailOutcome): number => ranks.indexOf(status);
