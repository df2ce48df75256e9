import type { Log } from '@service/log';

interface WakerOptions<J> {
  send(job: J): Promise<void>;
  log: Log;
  /** Least time between two sends of the same job. */
  gapMs?: number;
}

/** One job's wake-ups: `sending` covers the send and the gap after it, `again` a call that came meanwhile. */
interface Line<J> {
  job: J;
  again: boolean;
  sending: Promise<void> | undefined;
  endGap: (() => void) | undefined;
}

/**
 * Sends the first wake-up at once and all that come within the next `gapMs` (or while it is under way) as one after it.
 * So whatever a caller committed before its call is always followed by a send.
 */
export function createWaker<J extends { name: string }>({ send, log, gapMs = 10 }: WakerOptions<J>) {
  const lines = new Map<string, Line<J>>();
  let closed = false;

  const sendAll = async (line: Line<J>): Promise<void> => {
    while (line.again) {
      line.again = false;
      const gap = waitGap(line);
      try {
        await send(line.job);
      } catch (error) {
        log.error({ err: error, job: line.job.name }, 'A wake-up was lost; the sweep will find its work');
      }
      await gap;
    }
    line.sending = undefined;
  };

  const waitGap = (line: Line<J>): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, closed ? 0 : gapMs);
      line.endGap = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    wake(job: J): void {
      if (closed) return;
      const line = lines.get(job.name) ?? { job, again: false, sending: undefined, endGap: undefined };
      lines.set(job.name, line);
      line.again = true;
      line.sending ??= sendAll(line);
    },
    async close(): Promise<void> {
      closed = true;
      for (const line of lines.values()) line.endGap?.();
      await Promise.all([...lines.values()].map(async (line) => line.sending));
    },
  };
}
