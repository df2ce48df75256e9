import type { Log } from '@service/log';
import type { RequestHandler } from 'express';

interface WarningOptions {
  log: Pick<Log, 'warn'>;
  /** A monotonic clock, in milliseconds. */
  elapsedMs?: () => number;
}

/** Anyone can send the header, so the warning must not fill the log. */
const pauseMs = 600_000;

/**
 * Logs a warning, at most every ten minutes, when `X-Forwarded-For` is ignored because it comes from an address outside
 * TRUSTED_PROXIES. If that address is a proxy, all its callers share one address and one limit.
 */
export function warnOfUntrustedProxies({
  log,
  elapsedMs = () => performance.now(),
}: WarningOptions): RequestHandler {
  let quietUntilMs = -Infinity;
  return (request, _response, next) => {
    if (request.headers['x-forwarded-for'] !== undefined && elapsedMs() >= quietUntilMs) {
      const peer = request.socket.remoteAddress ?? '';
      const isTrusted = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
      if (!isTrusted(peer, 0)) {
        quietUntilMs = elapsedMs() + pauseMs;
        log.warn(
          { peer },
          'X-Forwarded-For is ignored because its sender is not a trusted proxy. If it is your proxy, set TRUSTED_PROXIES.',
        );
      }
    }
    next();
  };
}
