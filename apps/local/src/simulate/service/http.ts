import { Pool } from 'undici';
import { createHistogram, type Histogram, type Percentiles } from '../latency-histogram.ts';

export interface HttpCall {
  /** The group for latencies, such as `heartbeat`. */
  name: string;
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body. Undefined when it is not JSON. */
  json: unknown;
}

/** A call that did not succeed: its answer, or the error without one. */
export type Failure = (Pick<HttpAnswer, 'status'> & Partial<HttpAnswer>) | { error: unknown };

export type Http = ReturnType<typeof createHttp>;

/** Enough for five thousand attendees, and fewer than a service on one machine accepts. */
const connectionsMax = 256;
const timeoutMs = 30_000;

/** Calls the service over open connections and measures the latencies. */
export function createHttp(baseUrl: string) {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, {
    connections: connectionsMax,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const histograms = new Map<string, Histogram>();
  const retries = new Map<string, number>();

  const note = (name: string, ms: number): void => {
    const histogram = histograms.get(name) ?? createHistogram();
    histograms.set(name, histogram);
    histogram.add(ms);
  };

  /** Rejects without an answer. */
  const call = async ({ name, method, path, headers, body }: HttpCall): Promise<HttpAnswer> => {
    const sentMs = performance.now();
    const response = await pool.request({ method, path: prefix + path, headers, body });
    const text = await response.body.text();
    note(name, performance.now() - sentMs);
    return { status: response.statusCode, headers: response.headers, json: parse(text) };
  };

  return {
    /** Like `call`, but returns an error instead of throwing it. */
    tryCall: (request: HttpCall): Promise<HttpAnswer | { error: unknown }> =>
      call(request).catch((error: unknown) => ({ error })),
    /** `fetch` of the client of the API. Resolves at the end of the answer. */
    async fetch(...request: Parameters<typeof fetch>): Promise<Response> {
      const sentMs = performance.now();
      const response = await fetch(...request);
      await response.clone().arrayBuffer();
      note('api', performance.now() - sentMs);
      return response;
    },
    /** Latencies by the name of the calls, of answers with any status. */
    latencies: (): Map<string, Percentiles> =>
      new Map([...histograms].map(([name, histogram]) => [name, histogram.percentiles()])),
    /** The latencies of one name. */
    latency: (name: string): Percentiles | undefined => histograms.get(name)?.percentiles(),
    /** Counts a call that is retried. `name` is that of the call, or `api`. */
    noteRetry(name: string, failure: Failure): void {
      const what = `${name} ${describeFailure(failure)}`;
      retries.set(what, (retries.get(what) ?? 0) + 1);
    },
    /** Counts of retried calls, by `api 503` or `heartbeat time-out`. */
    retries: retries as ReadonlyMap<string, number>,
    close: (): Promise<void> => pool.destroy(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const timeouts = new Set(['TimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError', 'ConnectTimeoutError']);

/** `503 unavailable`, `time-out`, `no connection` or `no answer`. */
export function describeFailure(failure: Failure): string {
  if ('status' in failure)
    return `${failure.status} ${(failure.json as { code?: string } | undefined)?.code ?? ''}`.trim();
  if (!mayBeSent(failure)) return 'no connection';
  const { name, cause } = failure.error as Error;
  return timeouts.has(name) || timeouts.has((cause as Error | undefined)?.name ?? '')
    ? 'time-out'
    : 'no answer';
}

/** False after a refused connection. After any other error the call may have been sent. */
export function mayBeSent(failure: Failure): boolean {
  if ('status' in failure) return true;
  const { code, cause } = failure.error as NodeJS.ErrnoException;
  return (code ?? (cause as NodeJS.ErrnoException | undefined)?.code) !== 'ECONNREFUSED';
}

const retryAfterMax = 60;

/** The Retry-After of an answer. A second by default, also without an answer. */
export function retryAfterMs(failure: Failure): number {
  const given = 'status' in failure ? failure.headers?.['retry-after'] : undefined;
  const seconds = Number(given);
  return 1000 * (seconds > 0 ? Math.min(seconds, retryAfterMax) : 1);
}
