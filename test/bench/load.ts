import { Pool } from 'undici';

export interface Load {
  origin: string;
  requests: number;
  /** Requests in flight. */
  concurrency: number;
  /** The request to send, by its number. */
  request: (index: number) => LoadRequest;
  /** The status that every answer must have. */
  status: number;
}

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface LoadFigures {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Sends requests as fast as they are answered. Throws when one is answered with another status. */
export async function measureLoad({
  origin,
  requests,
  concurrency,
  request,
  status,
}: Load): Promise<LoadFigures> {
  const pool = new Pool(origin, { connections: concurrency });
  const times: number[] = [];
  let started = 0;
  const lane = async (): Promise<void> => {
    while (started < requests) {
      const startedAt = performance.now();
      const answered = await send(pool, request(started++));
      times.push(performance.now() - startedAt);
      if (answered !== status) throw new Error(`Answered ${answered} where ${status} was expected.`);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, lane));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)]!;
  return { perSecond: requests / seconds, p50: at(0.5), p99: at(0.99) };
}

/** The status, once the whole answer is there. */
function send(pool: Pool, request: LoadRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(request, {
      onRequestStart() {},
      onResponseStart: (_controller, answered) => void (status = answered),
      onResponseData() {},
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}
