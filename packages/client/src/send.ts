// Sends a request again until its answer is final. Calls of the API have an `Idempotency-Key` and revenue webhooks have an `event_id`, so
// the service acts once.

/** A request that is sent again. */
export interface Retry {
  /** The number of the next attempt, from 2. */
  attempt: number;
  waitMs: number;
  /** Undefined if there was no answer. */
  status: number | undefined;
  /** The error of `fetch` if there was no answer. After `timeoutMs` it is a `TimeoutError`. */
  error: unknown;
}

export interface SendOptions {
  /** Of each attempt, until the whole body is read. */
  timeoutMs: number;
  /** Attempts after the first. */
  retriesMax: number;
  /** An answer whose `Retry-After` asks for a longer wait is not sent again. */
  retryAfterMaxMs: number;
  onRetry?: ((retry: Retry) => void) | undefined;
  fetch: typeof fetch;
  wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface Answer {
  response: Response;
  text: string;
}

/** Resolves to the last answer, with any status. Rejects as `fetch` does if the last attempt had none, or was aborted by the caller. */
export async function send(
  url: string,
  init: RequestInit & { signal?: AbortSignal | undefined },
  options: SendOptions,
): Promise<Answer> {
  const { signal } = init;
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt > options.retriesMax;
    let answer: Answer | undefined;
    let error: unknown;
    try {
      answer = await sendOnce(url, init, options);
    } catch (failure) {
      if (isLast || signal?.aborted) throw failure;
      error = failure;
    }
    if (answer && (isLast || !isTemporary(answer))) return answer;
    const waitMs = waitOf(answer, attempt);
    if (answer && waitMs > options.retryAfterMaxMs) return answer;
    options.onRetry?.({ attempt: attempt + 1, waitMs, status: answer?.response.status, error });
    await options.wait(waitMs, signal);
  }
}

async function sendOnce(
  url: string,
  init: RequestInit & { signal?: AbortSignal | undefined },
  { fetch, timeoutMs }: SendOptions,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const response = await fetch(url, { ...init, signal });
  return { response, text: await response.text() };
}

const temporaryStatuses = new Set([429, 500, 502, 503, 504]);

/** A 409 is temporary while the first request with the same key is not done. */
const isTemporary = ({ response: { status }, text }: Answer): boolean =>
  temporaryStatuses.has(status) || (status === 409 && text.includes('"idempotency_in_progress"'));

const firstWaitMs = 500;
const longestWaitMs = 8000;

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), else a random part of a growing time, so that clients do not return together. */
function waitOf(answer: Answer | undefined, attempt: number): number {
  const header = answer?.response.headers.get('retry-after') ?? '';
  const asked = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  if (asked >= 0) return asked;
  return Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs) * (0.5 + Math.random() / 2);
}

export const sendDefaults: SendOptions = {
  timeoutMs: 30_000,
  retriesMax: 4,
  retryAfterMaxMs: 60_000,
  fetch: (...request) => globalThis.fetch(...request),
  wait,
};

/** Waits. Rejects with the reason of the signal when it is aborted. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
