// The checks before a connection is saved: first everything that needs no call, with all problems in one answer, then a real call.
import { commonErrors } from '@service/errors';
import type { MailSender } from '@service/mail-senders';
import type { VerifiedCredential } from '../connection/change-connections.ts';
import type { MailSettings } from '../connection/connection.ts';
import { credentialIssuesOf } from '../connection/credentials.ts';
import { connectionErrors } from '../errors.ts';
import { findDomainProblem, refuseFreeMail, smtpHostOf } from '../domain/from-address.ts';
import type { Connections } from './mail-connections.ts';

interface GivenMail {
  provider: string;
  credential: unknown;
  /** Without `from` the first domain that the provider has verified is used. */
  settings: Omit<MailSettings, 'from'> & { from: MailSettings['from'] | undefined };
}

export interface Verified extends VerifiedCredential {
  /** The name of a connection that is given none. */
  providerName: string;
  /** The account's name at the provider. */
  account: string | undefined;
  notes: string[];
}

/**
 * Parses a credential and proves it by a call to its provider, which ends within 15 s. Throws validation_failed, credential_refused,
 * provider_unreachable, too_many_verifications.
 */
export async function verifyMail(
  connections: Connections,
  accountId: string,
  given: GivenMail,
): Promise<Verified> {
  const sender = connections.senders.find(({ id }) => id === given.provider);
  if (!sender) {
    const known = connections.senders.map(({ id }) => id).join(', ');
    throw commonErrors.validation_failed({ issues: [{ path: 'provider', message: `One of ${known}.` }] });
  }
  const credential = await parseGiven(connections, sender, given);
  const { settings } = given;
  const verification = await connections.verify(accountId, sender, { credential, baseUrl: settings.baseUrl });
  if (verification.kind !== 'accepted') {
    const issues = [{ path: 'credential', message: `${sender.name}: ${verification.reason}` }];
    throw verification.kind === 'refused'
      ? connectionErrors.credential_refused({ issues })
      : connectionErrors.provider_unreachable({ issues });
  }
  const { account, domains } = verification;
  const from = settings.from ?? senderOfFirst(domains.find(({ isVerified }) => isVerified)?.name);
  const note = sender.note?.(credential);
  return {
    kind: 'mail',
    provider: sender.id,
    providerName: sender.name,
    credential,
    last4: sender.last4(credential),
    settings: { ...settings, from },
    account,
    problem: findDomainProblem(from.address, domains, sender.name),
    notes: note === undefined ? [] : [note],
  };
}

/** The parsed credential. Throws validation_failed with the problems of all fields. */
async function parseGiven(
  { refuseUrl }: Connections,
  sender: MailSender,
  { credential: fields, settings }: GivenMail,
): Promise<unknown> {
  const parsed = sender.credential.safeParse(fields);
  const issues = credentialIssuesOf(parsed.error, fields);
  const freeMail = settings.from && refuseFreeMail(settings.from.address, smtpHostOf(sender.id, fields));
  if (freeMail !== undefined) issues.push({ path: 'from.address', message: freeMail });
  if (settings.baseUrl !== null) {
    const refusal =
      sender.id === 'smtp' ? 'An SMTP server has no base URL.' : await refuseUrl(settings.baseUrl);
    if (refusal !== undefined) issues.push({ path: 'baseUrl', message: refusal });
  }
  if (issues.length > 0 || !parsed.success) throw commonErrors.validation_failed({ issues });
  return parsed.data;
}

/** The secret with which a provider signs its reports, in the form that the provider uses. Throws validation_failed. */
export function parseReportSecret(
  { senders }: Pick<Connections, 'senders'>,
  provider: string,
  secret: string | null,
): string | null {
  if (secret === null) return null;
  const schema = senders.find(({ id }) => id === provider)?.events?.secret;
  const parsed = schema?.safeParse(secret);
  if (parsed?.success) return parsed.data;
  const message = parsed ? parsed.error.issues[0]!.message : 'This provider does not sign reports.';
  throw commonErrors.validation_failed({ issues: [{ path: 'secret', message }] });
}

function senderOfFirst(domain: string | undefined): MailSettings['from'] {
  if (domain !== undefined) return { name: '', address: `webinars@${domain}` };
  throw commonErrors.validation_failed({
    issues: [
      {
        path: 'from',
        message: 'Give the address that mails come from: the provider names no verified domain.',
      },
    ],
  });
}
