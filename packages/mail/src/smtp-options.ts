export interface SmtpOptions {
  host: string;
  port: number | undefined;
  /** TLS from the first byte, not after STARTTLS. */
  secure: boolean;
  /** Refuses a connection without TLS. */
  requireTLS: boolean;
  auth: { user: string; pass: string } | undefined;
}

/**
 * Reads `smtp://user:password@host:port` or `smtps://...`. A path and a query are ignored, so they cannot disable anything. A
 * password is sent in clear only to this machine: any other server must offer TLS.
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
