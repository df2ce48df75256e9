// Writes what became of mails, in one transaction for the results of an account that came together.
import { createBatcher } from '@service/background';
import type { Connections, UsedConnection } from '@service/connections';
import { accountWriter, column, statement, type AccountWriter, type Database } from '@service/database';
import type { Log } from '@service/log';
import type { SendOutcome } from '@service/mail-senders';
import { setTimeout as delay } from 'node:timers/promises';
import { recordSoftBounces } from '../suppression/record-reports.ts';
import { suppress } from '../suppression/suppressions.ts';
import { addDays, addWaiting, dayOf, endedColumns } from '../queue/mail-counts.ts';
import type { ClaimedMail } from './claim-mails.ts';
import type { Next } from './decide-next.ts';
import type { Route } from './route.ts';

export interface Result {
  accountId: string;
  mail: ClaimedMail;
  token: string;
  next: Next | { kind: 'ended'; status: 'suppressed'; reason: string };
  /** Undefined: nothing was sent. */
  sent: { route: Route; outcome: SendOutcome } | undefined;
}

/** `again`: the mail waits for another try. */
export type MailOutcome = Extract<Result['next'], { kind: 'ended' }>['status'] | 'again';

interface WriterOptions {
  database: Pick<Database, 'transaction'>;
  connections: Pick<Connections, 'recordOutcome' | 'verifyAfterRefusal'>;
  now: () => Date;
  log: Log;
  /** Called after a commit. Must not throw. */
  onWritten: (accountId: string, outcomes: readonly MailOutcome[]) => void;
}

const batchMax = 200;
const triesMax = 5;

export function createResultWriter(options: WriterOptions) {
  return createBatcher<Result>({
    batchMax,
    waitMs: 10,
    concurrency: 4,
    groupOf: ({ accountId }) => accountId,
    async run(batch) {
      const byAccount = Map.groupBy(batch, ({ accountId }) => accountId);
      await Promise.all(
        [...byAccount].map(([accountId, results]) => writeSurely(accountId, results, options)),
      );
    },
  });
}

/** A result that cannot be written is lost: its mail is sent again, or ends as uncertain, when the lease has ended. */
async function writeSurely(
  accountId: string,
  results: readonly Result[],
  options: WriterOptions,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await write(accountId, results, options);
      return;
    } catch (error) {
      if (tries === triesMax) {
        options.log.error(
          { err: error, accountId, count: results.length },
          'Results of mails could not be written',
        );
        return;
      }
      await delay(1000);
    }
  }
}

async function write(
  accountId: string,
  results: readonly Result[],
  { database, connections, now, log, onWritten }: WriterOptions,
): Promise<void> {
  const { counted, refusals } = await database.transaction(async (tx) => {
    const writer = accountWriter(tx, { accountId, now: now() });
    const ids = results.map(({ mail }) => mail.id);
    const valid = new Set(
      (await tx.query(settle, [accountId, JSON.stringify(results.map(toRow)), writer.now, ids])).map(
        ({ id }) => id,
      ),
    );
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
  onWritten(
    accountId,
    counted.map(({ next }) => (next.kind === 'ended' ? next.status : 'again')),
  );
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

function toRow({ mail, token, next, sent }: Result) {
  const isEnded = next.kind === 'ended';
  const { outcome, route } = sent ?? {};
  return {
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
  };
}

// A result whose lease has ended changes nothing: the mail may be with another worker.
const settle = statement({
  name: 'mails.settle',
  text: `
    with result as materialized (
      select * from jsonb_to_recordset($2::jsonb) as r
        (id uuid, token uuid, "isEnded" boolean, status text, reason text, "dueAt" timestamptz, attempts smallint,
         "uncertainAt" timestamptz, "restUntil" timestamptz, sender text, "connectionId" uuid, provider text, note text,
         "providerMessageId" text)
    ), valid as materialized (
      select result.* from mails.due d join result on result.id = d.mail_id and result.token = d.claim_token
      where d.account_id = $1 and d.mail_id = any($4::uuid[]) order by d.mail_id for update of d
    ), gone as (
      delete from mails.due d using valid where d.account_id = $1 and d.mail_id = valid.id and valid."isEnded"
      returning valid.status
    ), fewer as (
      select $1::uuid as account_id, -count(*) as waiting from gone having count(*) > 0
    ), ${addWaiting('fewer')}, ended as (
      select $1::uuid as account_id, ${dayOf('$3::timestamptz')} as day, ${endedColumns('status')} from gone having count(*) > 0
    ), ${addDays('ended')}, waiting as (
      update mails.due d set due_at = valid."dueAt", attempts = valid.attempts, uncertain_at = valid."uncertainAt", claim_token = null
      from valid where d.account_id = $1 and d.mail_id = valid.id and not valid."isEnded"
    ), rested as (
      update mails.lane l set rest_until = r.until
      from (select max("restUntil") as until from valid) r where l.account_id = $1 and r.until is not null
    )
    update mails.mail m set status = valid.status, reason = valid.reason, attempts = valid.attempts,
      sender = coalesce(valid.sender, m.sender), connection_id = coalesce(valid."connectionId", m.connection_id),
      provider = coalesce(valid.provider, m.provider), note = coalesce(valid.note, m.note),
      provider_message_id = coalesce(valid."providerMessageId", m.provider_message_id),
      sent_at = case when valid.status in ('sent', 'uncertain') then $3::timestamptz end
    from valid where m.account_id = $1 and m.id = valid.id
    returning m.id`,
  row: { id: column.id },
});
