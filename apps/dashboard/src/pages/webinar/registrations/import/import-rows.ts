import { failureOf } from '../../../../failure.ts';
import { batchesOf, type Registrant } from './import-values.ts';

/** The result of a row of the file. A row that was not sent has none. */
export interface RowResult {
  status: 'created' | 'existing' | 'error';
  /** Why it was refused. */
  message: string;
}

interface CallResult {
  status: RowResult['status'];
  error?: { message: string; issues?: { path: string; message: string }[] | undefined } | undefined;
}

interface ImportParts {
  /** Registers the people of one call. */
  send: (registrations: Registrant[]) => Promise<readonly CallResult[]>;
  /** Called after each call with the results so far, in the order of the rows. */
  onProgress: (results: readonly RowResult[]) => void;
  wait: (seconds: number) => Promise<void>;
  signal: AbortSignal;
  /** No call begins later than this after the first. Undefined: no limit. */
  timeMs: number | undefined;
}

/** The API accepts an on-demand time for ten minutes. It may be a minute old when the import begins, and the last call may take a minute. */
export const onDemandMs = 8 * 60_000;

/** A call that is refused for a while is repeated this often. */
const triesMax = 60;
const waitSeconds = 2;

type ImportEnd = 'done' | 'stopped' | 'time over';

/**
 * Registers people call by call. A repeated call makes nothing twice: people who are registered stay as they are. Throws the last
 * error of a call that is refused for good. An import ends after its present call when it is stopped or its time is over.
 */
export async function importRows(
  registrants: readonly Registrant[],
  { timeMs, ...given }: ImportParts,
): Promise<ImportEnd> {
  const signals = timeMs === undefined ? [] : [AbortSignal.timeout(timeMs)];
  const parts = { ...given, signal: AbortSignal.any([given.signal, ...signals]) };
  const results: RowResult[] = [];
  for (const batch of batchesOf(registrants)) {
    const answered = await sendPatiently(batch, parts);
    if (!answered) return given.signal.aborted ? 'stopped' : 'time over';
    results.push(...answered.map(toResult));
    parts.onProgress([...results]);
  }
  return 'done';
}

/** Undefined: the import ended before the call. */
async function sendPatiently(
  batch: Registrant[],
  { send, wait, signal }: Omit<ImportParts, 'timeMs'>,
): Promise<readonly CallResult[] | undefined> {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      return await send(batch);
    } catch (error) {
      const { status, retryAfterSeconds } = failureOf(error);
      const isTemporary = status === undefined || status === 429 || status >= 500;
      if (!isTemporary || tries === triesMax) throw error;
      await wait(Math.min(retryAfterSeconds ?? waitSeconds, 60));
    }
  }
  return undefined;
}

const toResult = ({ status, error }: CallResult): RowResult => ({
  status,
  message: error
    ? [error.message, ...(error.issues ?? []).map(({ path, message }) => `${path}: ${message}`)].join(' ')
    : '',
});
