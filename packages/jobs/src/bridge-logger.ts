import type { Log } from '@service/log';
import { Logger } from 'graphile-worker';

/** Writes graphile-worker's lines to our log. It logs every job at level info, which becomes debug. */
export function bridgeLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const fields = { ...scope, err: meta['error'] };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning') log.warn(fields, message);
    else log.debug(fields, message);
  });
}
