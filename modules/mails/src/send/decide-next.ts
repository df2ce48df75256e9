// The rules from the outcome of one send to the next state of its mail. Pure: time and chance are arguments.
import type { Later, SendOutcome } from '@service/mail-senders';

/** A waiting mail. */
export interface WaitingMail {
  isConfirmation: boolean;
  /** Failed tries. */
  attempts: number;
  expiresAt: Date;
  /** The first time that the answer to a send was lost. Null: that has not happened. */
  uncertainAt: Date | null;
}

export type Next =
  | { kind: 'ended'; status: 'sent' | 'uncertain' | 'bounced' | 'too_late' | 'failed'; reason: string | null }
  | {
      kind: 'again';
      dueAt: Date;
      attempts: number;
      uncertainAt: Date | null;
      /** The lane sends no mail before this time. */
      laneRestsUntil: Date | null;
    };

interface Circumstances {
  now: Date;
  /** The time in which the provider recognizes a repeated mail. Undefined: it does not. */
  idempotencyMs: number | undefined;
  /** From 0 to 1. */
  random: number;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The last wait is repeated until the mail expires. */
const waitsMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs];

/** Mails of many failed sends must not come back at the same moment. */
const jitter = 0.2;

/** A provider recognizes a mail that it may have taken for half an hour at least. So such a mail does not wait for an hour. */
const uncertainWaitMaxMs = 10 * minuteMs;

const retryAfterMaxMs = hourMs;

const laneRestMs = 30 * secondMs;

/** The time in which a refused credential is verified. */
const credentialWaitMs = minuteMs;

/** A mail server that lost its answer has usually sent or lost the mail by then. */
const secondConfirmationMs = 10 * minuteMs;

export function decideNext(mail: WaitingMail, outcome: SendOutcome, circumstances: Circumstances): Next {
  const { now } = circumstances;
  switch (outcome.kind) {
    case 'sent':
      return { kind: 'ended', status: 'sent', reason: null };
    case 'recipient_refused':
      return { kind: 'ended', status: 'bounced', reason: outcome.reason };
    case 'mail_refused':
      return { kind: 'ended', status: 'failed', reason: outcome.reason };
    case 'credential_refused':
      return again(mail, outcome.reason, { now, waitMs: credentialWaitMs });
    case 'later':
      return afterLater(mail, outcome, circumstances);
    case 'uncertain':
    default:
      return afterUncertain(mail, outcome.reason, now);
  }
}

function afterLater(mail: WaitingMail, outcome: Later, circumstances: Circumstances): Next {
  const { reason, restsLane, mayHaveArrived = false } = outcome;
  const { now } = circumstances;
  const waiting = { ...mail, uncertainAt: mail.uncertainAt ?? (mayHaveArrived ? now : null) };
  const askedMs = Math.min(outcome.retryAfterMs ?? 0, retryAfterMaxMs);
  const scheduledMs = scheduledWait(mail, circumstances);
  const waitMaxMs = waiting.uncertainAt ? uncertainWaitMaxMs : Infinity;
  const ownMs = restsLane ? laneRestMs : Math.min(scheduledMs, waitMaxMs);
  const waitMs = Math.max(askedMs, ownMs);
  return isUnsafe(waiting, circumstances, waitMs)
    ? { kind: 'ended', status: 'uncertain', reason }
    : again(waiting, reason, { now, waitMs, countsTry: !restsLane, restsLane });
}

/** The provider cannot recognize a repeated mail. Only a confirmation is sent again, once: its link is the only way to join. */
function afterUncertain(mail: WaitingMail, reason: string, now: Date): Next {
  if (!mail.isConfirmation || mail.uncertainAt !== null)
    return { kind: 'ended', status: 'uncertain', reason };
  return again({ ...mail, uncertainAt: now }, reason, { now, waitMs: secondConfirmationMs, countsTry: true });
}

/** True if the provider would no longer recognize the mail after this wait, so that the person might get it twice. */
const isUnsafe = (
  { uncertainAt }: WaitingMail,
  { now, idempotencyMs }: Circumstances,
  waitMs: number,
): boolean =>
  uncertainAt !== null &&
  idempotencyMs !== undefined &&
  now.getTime() + waitMs >= uncertainAt.getTime() + idempotencyMs;

function scheduledWait({ attempts }: WaitingMail, { random }: Circumstances): number {
  const waitMs = waitsMs[Math.min(attempts, waitsMs.length - 1)]!;
  return Math.round(waitMs * (1 + jitter * (2 * random - 1)));
}

function again(
  { attempts, expiresAt, uncertainAt }: WaitingMail,
  reason: string,
  {
    now,
    waitMs,
    countsTry = false,
    restsLane = false,
  }: { now: Date; waitMs: number; countsTry?: boolean; restsLane?: boolean },
): Next {
  const dueAt = new Date(now.getTime() + waitMs);
  if (dueAt >= expiresAt) return { kind: 'ended', status: uncertainAt ? 'uncertain' : 'too_late', reason };
  return {
    kind: 'again',
    dueAt,
    attempts: attempts + (countsTry ? 1 : 0),
    uncertainAt,
    laneRestsUntil: restsLane ? dueAt : null,
  };
}
