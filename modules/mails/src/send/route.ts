// The way of the mails of one account out of the service: its default connection, or the sender of the installation.
import type { Connections, MailConnection, UsedConnection } from '@service/connections';
import { MailError, type Mailer } from '@service/mail';
import { outcomeOfSmtpError, type OutgoingMail, type SendOutcome } from '@service/mail-senders';

export interface Route {
  sender: 'installation' | 'connection';
  /** The id of the provider. Null: the installation. */
  provider: string | null;
  /** Undefined: the installation. */
  connection: UsedConnection | undefined;
  from: { name: string; address: string };
  replyTo: string | null;
  limits: { perSecond: number; open: number };
  idempotencyMs: number | undefined;
  /** Why these mails leave through the installation although the account has a connection. */
  note: string | null;
  /** Only the mails that a person needs at once. The others wait for the connection. */
  isForUrgentOnly: boolean;
  /** Never rejects. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<SendOutcome>;
}

/** One account must not fill the places of the installation's mail server. */
const installationLimits = { perSecond: 10, open: 4 };

interface RouteParts {
  connections: Pick<Connections, 'openMailConnection'>;
  /** The sender of the installation. Undefined: it has none. */
  mailer: Mailer | undefined;
}

/** The route of the mails of an account with this default connection. Undefined: they wait. */
export function routeOver(
  accountId: string,
  found: MailConnection | undefined,
  { connections, mailer }: RouteParts,
): Route | undefined {
  if (!found) return mailer && installationRoute(mailer, { accountId });
  if (found.isPaused) return undefined;
  if (found.state === 'disconnected')
    return (
      mailer &&
      installationRoute(mailer, {
        accountId,
        isForUrgentOnly: true,
        note: 'The connection is disconnected.',
      })
    );
  const { sender, credential, contextFor, settings } = connections.openMailConnection(found);
  return {
    sender: 'connection',
    provider: found.provider,
    connection: { id: found.id, version: found.version },
    from: settings.from,
    replyTo: settings.replyTo,
    limits: sender.limits,
    idempotencyMs: sender.idempotencyMs,
    note: null,
    isForUrgentOnly: false,
    send: (mail, signal) => sender.send(mail, credential, contextFor(signal)),
  };
}

const installationRoute = (
  mailer: Mailer,
  {
    accountId,
    note = null,
    isForUrgentOnly = false,
  }: { accountId: string; note?: string | null; isForUrgentOnly?: boolean },
): Route => ({
  sender: 'installation',
  provider: null,
  connection: undefined,
  from: { name: '', address: mailer.address },
  replyTo: null,
  limits: installationLimits,
  idempotencyMs: undefined,
  note,
  isForUrgentOnly,
  async send({ from, replyTo, idempotencyKey: _key, ...mail }, signal) {
    try {
      await mailer.send({ ...mail, accountId, fromName: from.name, replyTo: replyTo?.address }, signal);
      return { kind: 'sent', providerMessageId: undefined };
    } catch (error) {
      return outcomeOfFailure(error as Error);
    }
  },
});

/** Before these commands have ended, the server has no mail. */
const earlyCommand = /^(?:CONN|EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL FROM|RCPT TO|API)/;

function outcomeOfFailure(error: Error): SendOutcome {
  if (!(error instanceof MailError))
    return { kind: 'later', reason: error.message.slice(0, 300), retryAfterMs: undefined, restsLane: false };
  const { code, command = '', response, replyCode, message } = error;
  const isHandedOver = response === undefined && !earlyCommand.test(command);
  const outcome = outcomeOfSmtpError(
    Object.assign(new Error(message), { code, command, response, responseCode: replyCode }),
    isHandedOver,
  );
  const reason = 'reason' in outcome ? outcome.reason.replaceAll(/\s+/gu, ' ').slice(0, 300) : '';
  // The mail server of the installation is the operator's: an account cannot repair its credential, so the mails wait.
  if (outcome.kind === 'credential_refused')
    return { kind: 'later', reason, retryAfterMs: undefined, restsLane: false };
  return outcome.kind === 'sent' ? outcome : { ...outcome, reason };
}
