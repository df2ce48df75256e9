import { Pool } from 'undici';
import { createHistogram, type Histogram, type Percentiles } from '../histogram.ts';

export interface HttpCall {
  /** What its latency is counted with: `heartbeat`, `api`. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body; undefined when there is none that is JSON. */
  json: unknown;
}

export interface Http {
  /** Rejects when no answer comes. */
  call(call: HttpCall): Promise<HttpAnswer>;
  /** By the name of the calls, of answers of whatever status. */
  latencies(): Map<string, Percentiles>;
  /** Of one name. */
  latency(name: string): Percentiles | undefined;
  close(): Promise<void>;
}

/** Enough for five thousand attendees, and fewer than what a service on one machine takes. */
const connectionsMax = 256;
const timeoutMs = 30_000;

/** Calls to the service over connections that stay open, with how long each took. */
export function createHttp(baseUrl: string): Http {
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
    async call({ name, method, path, headers, body }) {
      const sentMs = performance.now();
      const response = await pool.request({ method, path: prefix + path, headers, body });
      const text = await response.body.text();
      note(name, performance.now() - sentMs);
      return { status: response.statusCode, headers: response.headers, json: parse(text) };
    },
    latencies: () => new Map([...histograms].map(([name, histogram]) => [name, histogram.percentiles()])),
    latency: (name) => histograms.get(name)?.percentiles(),
    close: () => pool.destroy(),
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

/** How long an answer asks to wait; a second when it does not say. */
export function retryAfterMs({ headers }: Pick<HttpAnswer, 'headers'>): number {
  const seconds = Number(headers['retry-after']);
  return 1000 * (seconds > 0 ? Math.min(seconds, retryAfterMax) : 1);
}
