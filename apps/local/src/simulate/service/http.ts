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

  const note = (name: string, ms: number): void => {
    const histogram = histograms.get(name) ?? createHistogram();
    histograms.set(name, histogram);
    histogram.add(ms);
  };

  return {
    /** Rejects without an answer. */
    async call({ name, method, path, headers, body }: HttpCall): Promise<HttpAnswer> {
      const sentMs = performance.now();
      const response = await pool.request({ method, path: prefix + path, headers, body });
      const text = await response.body.text();
      note(name, performance.now() - sentMs);
      return { status: response.statusCode, headers: response.headers, json: parse(text) };
    },
    /** `fetch` of the client of the API. */
    async fetch(...request: Parameters<typeof fetch>): Promise<Response> {
      const sentMs = performance.now();
      const response = await fetch(...request);
      note('api', performance.now() - sentMs);
      return response;
    },
    /** Latencies by the name of the calls, of answers with any status. */
    latencies: (): Map<string, Percentiles> =>
      new Map([...histograms].map(([name, histogram]) => [name, histogram.percentiles()])),
    /** The latencies of one name. */
    latency: (name: string): Percentiles | undefined => histograms.get(name)?.percentiles(),
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

const retryAfterMax = 60;

/** The Retry-After of an answer. A second by default. */
export function retryAfterMs({ headers }: Pick<HttpAnswer, 'headers'>): number {
  const seconds = Number(headers['retry-after']);
  return 1000 * (seconds > 0 ? Math.min(seconds, retryAfterMax) : 1);
}
