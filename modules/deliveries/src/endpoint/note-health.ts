import { createId, type Database } from '@service/database';
import type { Log } from '@service/log';
import { endpointKey, type EndpointKey } from './endpoint-key.ts';
import type { DeliveryFailure } from '../schemas.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import { noteFailures, noteSuccesses } from './health.sql.ts';

/** What an attempt says about its endpoint. */
export interface HealthSign extends EndpointKey {
  /** Null for a success. */
  failure: DeliveryFailure | null;
  responseCode: number | null;
  /** As it was known when the attempt began; undefined is healthy. */
  health: EndpointHealth['state'] | undefined;
}

export interface HealthNotes {
  add(sign: HealthSign): void;
  /** Writes what has not been written. Never rejects. */
  drain(): Promise<void>;
}

interface HealthNotesOptions {
  pool: Database['pool'];
  log: Log;
  /** What is known of these endpoints may be true no longer. */
  onNoted: (endpoints: readonly EndpointKey[]) => void;
}

interface Note extends HealthSign {
  failures: number;
  succeeded: boolean;
  isGone: boolean;
}

const collectMs = 100;

/**
 * Keeps how endpoints fare, a statement for all that was seen within 100 ms. A healthy endpoint that answers well costs
 * nothing. 429 is no sign of anything; 410 says that nobody is there any more.
 */
export function createHealthNotes({ pool, log, onNoted }: HealthNotesOptions): HealthNotes {
  let notes = new Map<string, Note>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const written = notes;
    notes = new Map();
    if (written.size === 0) return;
    writing = writing
      .then(() => writeNotes(pool, [...written.values()]))
      .then(() => onNoted([...written.values()]))
      .catch((error: unknown) => log.error({ err: error }, 'The health of endpoints could not be noted'));
  };

  return {
    add(sign) {
      if (sign.responseCode === 429 || (sign.failure === null && isSettled(sign, notes))) return;
      const note = notes.get(endpointKey(sign)) ?? { ...sign, failures: 0, succeeded: false, isGone: false };
      notes.set(endpointKey(sign), note);
      if (sign.failure === null) Object.assign(note, { succeeded: true, failures: 0, isGone: false });
      else {
        note.failures += 1;
        note.isGone ||= sign.responseCode === 410;
        Object.assign(note, { failure: sign.failure, responseCode: sign.responseCode });
      }
      timer ??= setTimeout(write, collectMs);
    },
    async drain() {
      write();
      await writing;
    },
  };
}

/** Whether a success says nothing new. */
const isSettled = (sign: HealthSign, notes: ReadonlyMap<string, Note>): boolean =>
  sign.health === undefined && !notes.has(endpointKey(sign));

async function writeNotes(pool: Database['pool'], notes: readonly Note[]): Promise<void> {
  const well = notes.filter((note) => note.succeeded);
  if (well.length > 0) {
    await pool.query(noteSuccesses, [
      well.map((note) => note.endpointId),
      well.map((note) => note.accountId),
      well.map(() => createId()),
    ]);
  }
  const badly = notes.filter((note) => note.failures > 0);
  if (badly.length > 0) {
    await pool.query(noteFailures, [
      badly.map((note) => note.endpointId),
      badly.map((note) => note.accountId),
      badly.map((note) => note.failures),
      badly.map((note) => note.isGone),
      badly.map((note) => note.failure),
      badly.map((note) => note.responseCode),
      badly.map(() => createId()),
    ]);
  }
}
