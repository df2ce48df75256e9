// Writes what became of mails. A busy worker ends a thousand a second, one or two of each account, so those that change nothing but
// their mail are written together. The others have a transaction for each account: they wait for rows that its members may have locked.
import { createBatcher } from '@service/background';
import type { Connections, UsedConnection } from '@service/connections';
import { accountWriter, column, statement, type AccountWriter, type Database } from '@service/database';
import type { Log } from '@service/log';
import type { SendOutcome } from '@service/mail-senders';
import { setTimeout as delay } from 'node:timers/promises';
import { recordSoftBounces } from '../suppression/record-reports.ts';
import { suppress } from '../suppression/suppressions.ts';
import { countEnded } from '../queue/mail-counts.ts';
import type { ClaimedMail } from './claim-mails.ts';
import type { Next } from './decide-next.ts';
import type { Route } from './route.ts';

export interface Result {
  mail: ClaimedMail;
  token: string;
  next: Next | { kind: 'ended'; status: 'suppressed'; reason: string };
  /** Undefined: nothing was sent. */
  sent: { route: Route; outcome: SendOutcome } | undefined;
}

/** `again`: the mail waits for another try. */
export type MailResult = Extract<Result['next'], { kind: 'ended' }>['status'] | 'again';

interface WriterOptions {
  database: Pick<Database, 'query' | 'transaction'>;
  connections: Pick<Connections, 'rememberSuccess' | 'recordOutcome' | 'verifyAfterRefusal'>;
  now: () => Date;
  log: Log;
  /** Called after a commit. Must not throw. */
  onWritten: (accountId: string, outcomes: readonly MailResult[]) => void;
}

const batchMax = 200;
const triesMax = 5;

export function createResultWriter(options: WriterOptions) {
  return createBatcher<Result>({
    batchMax,
    waitMs: 10,
    concurrency: 4,
    groupOf: ({ mail }) => mail.accountId,
    async run(batch) {
      const { simple = [], other = [] } = Object.groupBy(batch, (result) =>
        isSimple(result, options) ? 'simple' : 'other',
      );
      const byAccount = Map.groupBy(other, ({ mail }) => mail.accountId);
      await Promise.all([
        writeSurely(simple, options, () => writeSimple(simple, options)),
        ...[...byAccount].map(([accountId, results]) =>
          writeSurely(results, options, () => writeOf(accountId, results, options)),
        ),
      ]);
    },
  });
}

/** A mail that was not sent, or that was taken over a connection that is known to work. */
function isSimple({ mail, next, sent }: Result, { connections, now }: WriterOptions): boolean {
  if (!sent) return next.kind === 'ended';
  const { connection } = sent.route;
  if (sent.outcome.kind !== 'sent') return false;
  return !connection || connections.rememberSuccess(mail.accountId, connection, now());
}

/** A result that cannot be written is lost: its mail is sent again, or ends as uncertain, when the lease has ended. */
async function writeSurely(
  results: readonly Result[],
  { log }: Pick<WriterOptions, 'log'>,
  write: () => Promise<void>,
): Promise<void> {
  if (results.length === 0) return;
  for (let tries = 1; ; tries += 1) {
    try {
      await write();
      return;
    } catch (error) {
      if (tries === triesMax) {
        const accountIds = new Set(results.map(({ mail }) => mail.accountId));
        log.error(
          { err: error, accountIds: [...accountIds], count: results.length },
          'Results of mails could not be written',
        );
        return;
      }
      await delay(1000);
    }
  }
}

async function writeSimple(
  results: readonly Result[],
  { database, now, onWritten }: WriterOptions,
): Promise<void> {
  const settled = await database.query(settle, [results.map(toRow), now()]);
  const valid = new Set(settled.map(({ id }) => id));
  for (const [accountId, own] of Map.groupBy(results, ({ mail }) => mail.accountId))
    onWritten(accountId, outcomesOf(own.filter(({ mail }) => valid.has(mail.id))));
}

const outcomesOf = (results: readonly Result[]): MailResult[] =>
  results.map(({ next }) => (next.kind === 'ended' ? next.status : 'again'));

async function writeOf(
  accountId: string,
  results: readonly Result[],
  { database, connections, now, log, onWritten }: WriterOptions,
): Promise<void> {
  const { counted, refusals } = await database.transaction(async (tx) => {
    const writer = accountWriter(tx, { accountId, now: now() });
    const settled = await tx.query(settle, [results.map(toRow), writer.now]);
    const valid = new Set(settled.map(({ id }) => id));
    const counted = results.filter(({ mail }) => valid.has(mail.id));
    const [soft, hard] = bouncesOf(counted);
    await suppress(
      writer,
      hard.map(({ mail, next }) => ({
        address: mail.toAddress,
        reason: 'hard_bounce',
        note: 'reason' in next ? next.reason : null,
      })),
    );
    await recordSoftBounces(
      writer,
      soft.map(({ mail, sent }) => ({
        address: mail.toAddress,
        mailId: mail.id,
        connectionId: sent?.route.connection?.id,
      })),
    );
    return { counted, refusals: await recordOutcomes(writer, counted, connections) };
  });
  onWritten(accountId, outcomesOf(counted));
  for (const { used, outcome } of refusals)
    await connections
      .verifyAfterRefusal(accountId, used, outcome)
      .catch((error: unknown) => log.warn({ err: error, accountId }, 'A connection could not be verified'));
}

/** Mails that ended because of their recipient: those that another mail may still reach, and the others. */
function bouncesOf(results: readonly Result[]): [soft: Result[], hard: Result[]] {
  const isSoft = ({ next, sent }: Result): boolean =>
    next.kind === 'ended' && sent !== undefined && isSoftBounce(sent.outcome);
  const isBounced = ({ next }: Result): boolean => next.kind === 'ended' && next.status === 'bounced';
  return [
    results.filter((result) => isSoft(result)),
    results.filter((result) => isBounced(result) && !isSoft(result)),
  ];
}

const isSoftBounce = (outcome: SendOutcome): boolean =>
  (outcome.kind === 'later' || outcome.kind === 'recipient_refused') && outcome.isSoftBounce === true;

type Refusal = Parameters<Connections['verifyAfterRefusal']>[2];

/** Returns the refusals after which a connection must be verified, at most one. */
async function recordOutcomes(
  tx: AccountWriter,
  results: readonly Result[],
  { recordOutcome }: Pick<Connections, 'recordOutcome'>,
): Promise<{ used: UsedConnection; outcome: Refusal }[]> {
  const refusals: { used: UsedConnection; outcome: Refusal }[] = [];
  for (const { sent } of results) {
    const used = sent?.route.connection;
    if (!sent || !used) continue;
    const { outcome } = sent;
    const { mustVerify } = await recordOutcome(tx, used, outcome);
    if (mustVerify && (outcome.kind === 'credential_refused' || outcome.kind === 'mail_refused'))
      refusals.push({ used, outcome });
  }
  return refusals.slice(0, 1);
}

function toRow({ mail, token, next, sent }: Result): string {
  const isEnded = next.kind === 'ended';
  const { outcome, route } = sent ?? {};
  return JSON.stringify({
    accountId: mail.accountId,
    id: mail.id,
    token,
    isEnded,
    status: isEnded ? next.status : 'queued',
    reason: isEnded ? next.reason : outcome && 'reason' in outcome ? outcome.reason : null,
    dueAt: isEnded ? null : next.dueAt,
    attempts: isEnded ? mail.attempts + (sent ? 1 : 0) : next.attempts,
    uncertainAt: isEnded ? null : next.uncertainAt,
    restUntil: isEnded ? null : next.laneRestsUntil,
    sender: route?.sender ?? null,
    connectionId: route?.connection?.id ?? null,
    provider: route?.provider ?? null,
    note: route?.note ?? null,
    providerMessageId: outcome?.kind === 'sent' ? (outcome.providerMessageId ?? null) : null,
  });
}

// A result whose lease has ended changes nothing: the mail may be with another worker. Postgres expects ten elements of an array, and
// a hundred of a JSON list, for which it would rather read all mails than look them up. The lateral join has the same reason.
const settle = statement({
  name: 'mails.settle',
  text: `
    with result as materialized (
      select r.* from unnest($1::jsonb[]) as row cross join lateral jsonb_to_record(row) as r
        ("accountId" uuid, id uuid, token uuid, "isEnded" boolean, status text, reason text, "dueAt" timestamptz, attempts smallint,
         "uncertainAt" timestamptz, "restUntil" timestamptz, sender text, "connectionId" uuid, provider text, note text,
         "providerMessageId" text)
    ), valid as materialized (
      select result.* from result cross join lateral (
        select from mails.due l
        where l.account_id = result."accountId" and l.mail_id = result.id and l.claim_token = result.token for update
      ) locked
    ), gone as (
      delete from mails.due d using valid where d.account_id = valid."accountId" and d.mail_id = valid.id and valid."isEnded"
      returning d.account_id, valid.status
    ), ${countEnded('gone', '$2::timestamptz')}, waiting as (
      update mails.due w set due_at = valid."dueAt", attempts = valid.attempts, uncertain_at = valid."uncertainAt", claim_token = null
      from valid where w.account_id = valid."accountId" and w.mail_id = valid.id and not valid."isEnded"
    ), rested as (
      update mails.lane set rest_until = r.until
      from (select "accountId", max("restUntil") as until from valid where "restUntil" is not null group by "accountId") r
      where account_id = r."accountId"
    )
    update mails.mail m set status = valid.status, reason = valid.reason, attempts = valid.attempts,
      sender = coalesce(valid.sender, m.sender), connection_id = coalesce(valid."connectionId", m.connection_id),
      provider = coalesce(valid.provider, m.provider), note = coalesce(valid.note, m.note),
      provider_message_id = coalesce(valid."providerMessageId", m.provider_message_id),
      sent_at = case when valid.status in ('sent', 'uncertain') then $2::timestamptz end
    from valid where m.account_id = valid."accountId" and m.id = valid.id
    returning m.id`,
  row: { id: column.id },
});
