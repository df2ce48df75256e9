import { OpenSocketError } from '@service/outbound-http';
import type { SendOutcome } from '../mail-sender.ts';

/** An error of nodemailer, of the socket or of the abort. */
export interface SmtpError extends Error {
  /** EAUTH, EENVELOPE, EMESSAGE, ETLS, ECONNECTION, ETIMEDOUT and others. */
  code?: string;
  /** The command that was in progress. */
  command?: string;
  /** The reply of the server. */
  response?: string;
  responseCode?: number;
}

// 530, 534, 535, 538: RFC 4954. 5.7.30, 5.7.57 and 5.7.139: Microsoft, for a sign-in with a password that is switched off.
const credentialReply = /^(53[0458]\b|5\d\d[ -]5\.7\.(30|57|139)\b)/;

/**
 * The outcome of a failed mail. A server has taken a mail only when it answers the final dot with 2xx (RFC 5321, 4.2.5). So a reply
 * is certain at every stage, and a connection that breaks is uncertain only if the dot may have been sent (`isHandedOver`).
 */
export function outcomeOfSmtpError(error: SmtpError, isHandedOver: boolean): SendOutcome {
  const { code, command = '', response } = error;
  if (error instanceof OpenSocketError)
    return ['blocked_address', 'invalid_url'].includes(error.failure)
      ? { kind: 'credential_refused', reason: error.message }
      : later(error.message);
  const replyCode = error.responseCode ?? 0;
  if (response && replyCode >= 400) return outcomeOfReply({ response, replyCode, command, code });
  const reason = error.message;
  if (isHandedOver) return { kind: 'uncertain', reason };
  // No reply: the server offers no sign-in that we know.
  if (code === 'EAUTH') return { kind: 'credential_refused', reason };
  return later(reason);
}

interface Reply {
  response: string;
  replyCode: number;
  command: string;
  code: string | undefined;
}

function outcomeOfReply({ response, replyCode, command, code }: Reply): SendOutcome {
  const reason = response;
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '';
  const isRecipient = command === 'RCPT TO';
  if (replyCode < 500) {
    // 421: the server closes. 4.7.x: a limit of the account. Other replies are about one mailbox or mail.
    const restsLane = replyCode === 421 || enhanced.startsWith('4.7.') || command.startsWith('AUTH');
    const isSoftBounce = !restsLane && (isRecipient || enhanced.startsWith('4.2.'));
    return { ...later(reason), restsLane, ...(isSoftBounce && { isSoftBounce }) };
  }
  // A full mailbox (RFC 3463, 3.3; RFC 5321, 4.2.3).
  if (enhanced === '5.2.2' || (isRecipient && replyCode === 552))
    return { kind: 'recipient_refused', reason, isSoftBounce: true };
  if (credentialReply.test(response) || code === 'EAUTH') return { kind: 'credential_refused', reason };
  switch (command) {
    case 'RCPT TO':
      // 5.7.x is a rule of the server, such as refused relaying, and says nothing about the person.
      return { kind: enhanced.startsWith('5.7.') ? 'mail_refused' : 'recipient_refused', reason };
    case 'DATA':
      return { kind: enhanced.startsWith('5.1.') ? 'recipient_refused' : 'mail_refused', reason };
    case 'MAIL FROM':
      return { kind: 'mail_refused', reason };
    default:
      // Greeting, EHLO, STARTTLS: the server takes no mail from us now.
      return later(reason);
  }
}

const later = (reason: string): Extract<SendOutcome, { kind: 'later' }> => ({
  kind: 'later',
  reason,
  retryAfterMs: undefined,
  restsLane: false,
});
