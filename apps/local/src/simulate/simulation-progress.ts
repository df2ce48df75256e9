import type { Writable } from 'node:stream';
import type { World } from './attendee/simulated-attendee.ts';
import type { Programme } from './programme.ts';
import type { Http } from './service/http.ts';
import type { Receipts } from './service/receipts.ts';

export interface Progress extends Disposable {
  /** Sets the text of the line. */
  show(line: () => string): void;
  /** Prints a line that stays. */
  say(text: string): void;
}

type Output = Writable & { isTTY?: boolean; columns?: number };

const everyMs = { terminal: 1000, file: 10_000 };

/** On a terminal one line that is rewritten every second, elsewhere a new line every ten seconds. */
export function createProgress(output: Output): Progress {
  const isTerminal = output.isTTY === true;
  let line: (() => string) | undefined;
  let isDrawn = false;

  const clear = (): void => {
    if (isDrawn) output.write('\r\u001B[K');
    isDrawn = false;
  };

  const draw = (): void => {
    if (!line) return;
    clear();
    const text = line();
    output.write(isTerminal ? text.slice(0, (output.columns || 100) - 1) : `${text}\n`);
    isDrawn = isTerminal;
  };

  const timer = setInterval(draw, isTerminal ? everyMs.terminal : everyMs.file);
  return {
    show(next) {
      line = next;
      if (isTerminal) draw();
    },
    say(text) {
      clear();
      output.write(`${text}\n`);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}

interface Watched {
  world: World;
  http: Pick<Http, 'latency' | 'retries'>;
  programme: Programme;
  receipts: Pick<Receipts, 'count'>;
}

/** A larger delay is shown, because the load is late and latencies are meaningless. */
const lagShownMs = 500;

/** `00:03:10 / 00:10:00  61 in the room  ...`. Times are those of the webinar, not real time. */
export function createStatusLine({ world, http, programme, receipts }: Watched): () => string {
  let before = { count: 0, atMs: performance.now() };

  return () => {
    const nowMs = performance.now();
    const { count = 0, p99 = 0 } = http.latency('heartbeat') ?? {};
    const perSecond = ((count - before.count) * 1000) / Math.max(nowMs - before.atMs, 1);
    before = { count, atMs: nowMs };
    const { clock, counters, agenda } = world;
    const position = clockTime(clock.positionAt(nowMs) / programme.pace);
    const lagMs = agenda.lagMs();
    return [
      clock.hasStarted() ? `${position} / ${clockTime(programme.seconds / programme.pace)}` : 'lobby',
      `${counters.inRoom} in the room`,
      `${perSecond.toFixed(1)} heartbeats/s`,
      `p99 ${Math.round(p99)} ms`,
      `${counters.actions} actions`,
      `${receipts.count()} webhooks`,
      ...describeRetries(http.retries),
      ...(lagMs > lagShownMs ? [`this machine is ${(lagMs / 1000).toFixed(1)} s behind`] : []),
    ].join('  ');
  };
}

/** One text if calls were retried: `retried: 3 x api 503, 1 x heartbeat time-out`. */
export function describeRetries(retries: ReadonlyMap<string, number>): string[] {
  const counts = [...retries].map(([what, count]) => `${count} x ${what}`);
  return counts.length > 0 ? [`retried: ${counts.join(', ')}`] : [];
}

function clockTime(seconds: number): string {
  const part = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}`;
}
