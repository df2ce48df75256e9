// The ceiling's loop in a process of its own, so that neither it nor the engine is compiled for the other's use of undici.
import { createId } from '@service/database';
import { createSecret, signBody, signingKeys, signStandard } from '@service/signing';
import { Pool } from 'undici';
import { answerParent } from '../support/answering-process.ts';
import type { CeilingLoad } from './ceiling.ts';

interface Request {
  path: string;
  method: 'POST';
  headers: Record<string, string>;
  body: Buffer;
}

const keys = signingKeys(createSecret());

answerParent('ready', measure);

async function measure({ urls, body, requests, concurrency, signEach }: CeilingLoad): Promise<number> {
  const targets = urls.map((text) => new URL(text));
  const origins = [...new Set(targets.map((url) => url.origin))];
  const pools = new Map(origins.map((origin) => [origin, new Pool(origin, { connections: concurrency })]));
  const bytes = Buffer.from(body);
  const once = signedHeaders(body);
  const startedAt = performance.now();
  let started = 0;

  const lane = async (): Promise<void> => {
    while (started < requests) {
      const { origin, pathname: path } = targets[started % targets.length]!;
      started += 1;
      const headers = signEach ? signedHeaders(body) : once;
      await post(pools.get(origin)!, { path, method: 'POST', headers, body: bytes });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all([...pools.values()].map((pool) => pool.close()));
  return requests / seconds;
}

/** The headers that the service sends with each delivery. */
function signedHeaders(body: string): Record<string, string> {
  const id = createId();
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service/1.0',
    'X-Service-Signature': signBody(keys.body, body),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signStandard(keys.standard, { id, timestampSeconds, body }),
  };
}

function post(pool: Pool, request: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, status) {
        if (status !== 200) reject(new Error(`The receiver answered ${status}.`));
      },
      onResponseData() {},
      onResponseEnd: () => resolve(),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}
