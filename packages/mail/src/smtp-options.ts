export interface SmtpOptions {
  host: string;
  port: number | undefined;
  /** TLS from the first byte, not only after STARTTLS. */
  secure: boolean;
  /** Without TLS the connection is given up. */
  requireTLS: boolean;
  auth: { user: string; pass: string } | undefined;
}

/**
 * Reads `smtp://user:password@host:port` or `smtps://...`. Nothing else in the URL counts, so that it cannot switch anything
 * off. A password never travels in clear, but to this very machine: a server that then offers no TLS is refused.
 */
export function smtpOptions(smtpUrl: string): SmtpOptions {
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = url.protocol === 'smtps:';
  const auth =
    url.username === ''
      ? undefined
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  return {
    host,
    port: url.port === '' ? undefined : Number(url.port),
    secure,
    requireTLS: !secure && auth !== undefined && !isThisMachine(host),
    auth,
  };
}

const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);
