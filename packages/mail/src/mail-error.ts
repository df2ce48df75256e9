import type { SmtpOptions } from './smtp-options.ts';

/**
 * A mail that was not sent. The message is that of the server or the network without the password: some servers repeat refused
 * lines.
 */
export class MailError extends Error {
  override name = 'MailError';
  /** The kind of failure, such as ECONNECTION, EAUTH, EENVELOPE or ABORT_ERR. */
  readonly code: string | undefined;
  /** The server's reply code (RFC 5321, 4.2), if it replied. */
  readonly replyCode: number | undefined;

  // No `cause`: it would carry the original text.
  constructor(error: unknown, auth: SmtpOptions['auth']) {
    const { message, code, responseCode } = error as Error & { code?: string; responseCode?: number };
    super(withoutPassword(message, auth));
    this.code = code;
    this.replyCode = responseCode;
  }
}

function withoutPassword(text: string, auth: SmtpOptions['auth']): string {
  if (!auth || auth.pass === '') return text;
  const { user, pass } = auth;
  // The forms of AUTH PLAIN and AUTH LOGIN (RFC 4616), and that of the URL.
  const forms = [
    pass,
    encodeURIComponent(pass),
    base64(`\u0000${user}\u0000${pass}`),
    base64(`${user}\u0000${user}\u0000${pass}`),
    base64(pass),
  ];
  return forms.reduce((result, form) => result.replaceAll(form, '***'), text);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
