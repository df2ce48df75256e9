import { oneLine, withoutPassword } from '@service/mail';
import { secretNamesOf } from '@service/outbound-http';
import type { z } from 'zod';
import { prepareMail, type PreparedMail } from './prepare-mail.ts';
import type { MailSender, SendContext, SendOutcome } from './mail-sender.ts';

type Fields = Record<string, string | number | undefined>;

interface Definition<Credential extends Fields> extends Omit<
  MailSender<Credential>,
  'send' | 'credential' | 'last4'
> {
  credential: z.ZodType<Credential> & { shape: Record<string, z.ZodType> };
  send(mail: PreparedMail, credential: Credential, context: SendContext): Promise<SendOutcome>;
}

const reasonLengthMax = 300;
/** Four characters of a shorter secret would help to guess it. */
const shownLengthMin = 16;

/** Completes a sender with the rules that are the same for all: clean mails, and reasons without secrets. */
export function defineSender<Credential extends Fields>(
  definition: Definition<Credential>,
): MailSender<Credential> {
  const secretNames = secretNamesOf(definition.credential);
  const secretsOf = (credential: Credential): string[] =>
    secretNames.map((name) => String(credential[name] ?? ''));

  const tidy = <T extends object>(outcome: T, credential: Credential): T => {
    if (!('reason' in outcome)) return outcome;
    const user = String(credential['username'] ?? '');
    const hide = (text: string, pass: string): string => withoutPassword(text, { user, pass });
    const reason = secretsOf(credential).reduce(hide, String(outcome.reason));
    return { ...outcome, reason: oneLine(reason.toWellFormed()).slice(0, reasonLengthMax) };
  };

  return {
    ...definition,
    async verify(credential, context) {
      return tidy(await definition.verify(credential, context), credential);
    },
    async send(mail, credential, context) {
      const prepared = prepareMail(mail);
      if ('kind' in prepared) return prepared;
      if (context.signal.aborted)
        return { kind: 'later', reason: 'The send was stopped.', retryAfterMs: undefined, restsLane: false };
      return tidy(await definition.send(prepared, credential, context), credential);
    },
    last4: (credential) => {
      const [secret = ''] = secretsOf(credential);
      return secret.length < shownLengthMin ? '' : secret.slice(-4);
    },
  };
}
