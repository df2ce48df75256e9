import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RateLimit } from '@service/keys';
import { testEncryptionKey } from './api.ts';
import { childEnvironment } from './child-environment.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

export interface ApiProcess extends AsyncDisposable {
  /** Without a trailing slash. */
  baseUrl: string;
  /** The end of its log, warnings and worse. */
  logged(): string;
  /** SIGKILL, as by a system without memory: it cannot clean up. */
  kill(): Promise<void>;
}

/** Characters of the log that are kept. */
const loggedMax = 100_000;

const main = fileURLToPath(new URL('../../apps/api/src/main.ts', import.meta.url));

interface ApiProcessOptions {
  rateLimit?: RateLimit;
  /** Its calendar is ahead of the machine's by this. */
  clockAheadMs?: number;
}

/** An API process of its own on the database of a test, started as an operator would. */
export async function startApiProcess(
  databaseUrl: string,
  { rateLimit = { requests: 1_000_000, windowSeconds: 60 }, clockAheadMs = 0 }: ApiProcessOptions = {},
): Promise<ApiProcess> {
  const port = await freePort();
  const clock = new URL(`../chaos/shift-clock.ts?ms=${clockAheadMs}`, import.meta.url).href;
  const flags = clockAheadMs === 0 ? [] : ['--import', clock];
  const child = spawn(process.execPath, [...flags, main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...childEnvironment,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      ENCRYPTION_KEY: testEncryptionKey,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
      WEBHOOK_ALLOW_HTTP: 'true',
      API_RATE_LIMIT: String(rateLimit.requests),
      API_RATE_WINDOW_SECONDS: String(rateLimit.windowSeconds),
      LOG_LEVEL: 'warn',
    },
  });
  const ended = once(child, 'exit');
  let logged = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    logged = (logged + text).slice(-loggedMax);
  });
  const baseUrl = `http://localhost:${port}`;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  await eventually('the API process is ready', async () => {
    if (child.exitCode !== null) throw new Error(`The API process ended with ${child.exitCode}.`);
    return (await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.ok;
  }).catch(async (error: unknown) => {
    await stop('SIGKILL');
    throw error;
  });
  return {
    baseUrl,
    logged: () => logged,
    kill: () => stop('SIGKILL'),
    [Symbol.asyncDispose]: () => stop('SIGTERM'),
  };
}
