// Starts everything in order, restarts parts that end, and stops everything in the opposite order.
import { hostToCall } from '@service/config';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LocalConfig } from './config.ts';
import { makeDataDir, readOrCreateSecret } from './data-dir.ts';
import { keepDatabase } from './database.ts';
import { hasKilledRun, writeRunning } from './running.ts';
import type { Demo, SeedInput } from './seed.ts';
import { keepRunning, type Service } from './service.ts';
import { runToEnd, type Command, type Environment } from './start-command.ts';
import { listenForStop } from './stop-signals.ts';
import { welcomeText } from './welcome.ts';

export interface SuperviseOptions {
  config: LocalConfig;
  /** Environment variables of the child processes. */
  environment: Environment;
  commands: {
    /** Undefined: there is nothing to build. */
    build: Command | undefined;
    migrate: Command;
    /** Started together once the database is migrated, stopped together before it. */
    services: Command[];
    /** Kept running beside them, but not restarted when the code changes. */
    companions?: Command[];
  };
  /** Creates the demo workspace on the first run, and its next sessions on each. Undefined when there is none. */
  seed: (input: SeedInput) => Promise<Demo | undefined>;
  /** Watch mode: calls back when the code has changed. Returns a function that ends it. */
  watch?: (onChange: () => void) => Promise<() => void>;
  log: (line: string) => void;
}

type Cleanup = (stopNow: AbortSignal) => Promise<unknown>;

const readyTimeoutMs = 60_000;
// After kill -9 of the supervisor its API stops, but first finishes its open requests.
const afterKillMs = 15_000;

/** Runs the whole service until a signal ends it. Throws the error of a failed part. No process remains. */
export async function supervise(options: SuperviseOptions): Promise<void> {
  const signals = listenForStop(options.environment);
  const { stop, stopNow } = signals;
  const cleanups: Cleanup[] = [];
  try {
    await Promise.race([bringUp(options, stop, cleanups), abortOf(stopNow)]);
    await abortOf(stop.signal);
  } catch (error) {
    stop.abort(error); // has no effect after a signal
  }
  if (cleanups.length > 0) options.log('Stopping.');
  for (const cleanup of cleanups.toReversed()) {
    await cleanup(stopNow).catch((error) => options.log((error as Error).message));
  }
  signals.dispose();
  const reason: unknown = stop.signal.reason;
  if (reason instanceof Error) throw reason;
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason as Error);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
}

async function bringUp(options: SuperviseOptions, stop: AbortController, cleanups: Cleanup[]): Promise<void> {
  const startedAt = performance.now();
  const { config, commands, log } = options;
  const giveUp = (error: Error) => stop.abort(error);
  const dataDir = resolve(config.dataDir);
  const killed = await hasKilledRun(dataDir);
  if (killed) log('The last run was killed: waiting until all of it has ended.');
  await requireFreePort(config.port, killed ? afterKillMs : 0);
  log(`Starting the database${commands.build ? ' and building the pages' : ''} …`);
  await makeDataDir(dataDir);

  // The build needs no database, so both run at once.
  const building = commands.build
    ? runToEnd(commands.build, options.environment, stop.signal)
    : Promise.resolve();
  building.catch(giveUp);
  cleanups.push(() => building.catch(() => {}));
  const { databaseUrl, location } = await openDatabase(config, { dataDir, log, giveUp }, cleanups);
  stop.signal.throwIfAborted();

  const secrets = {
    databaseUrl,
    encryptionKey: config.encryptionKey ?? (await readOrCreateSecret(dataDir, 'encryption-key')),
  };
  const environment = childEnvironment(options.environment, config, secrets);
  log('Migrating the database …');
  await runToEnd(commands.migrate, environment, stop.signal);
  await building;
  // Other commands need no pooler.
  const directUrl = config.databaseSessionUrl ?? databaseUrl;
  const forget = await writeRunning(dataDir, { databaseUrl: directUrl, baseUrl: config.baseUrl });
  cleanups.push(forget);
  log('Starting the API and the worker …');
  await startServices(options, { environment, giveUp, cleanups });

  await waitReady(`http://${hostToCall(config.hosts)}:${config.port}`, readyTimeoutMs, stop.signal);
  const seeding = options.seed({ databaseUrl: directUrl, dataDir, baseUrl: config.baseUrl });
  const demo = await Promise.race([seeding, abortOf(stop.signal)]);
  const data = location.startsWith(dataDir) ? dataDir : `${dataDir}, the database: ${location}`;
  log(welcomeText({ config, demo, data, seconds: (performance.now() - startedAt) / 1000 }));
}

async function openDatabase(
  config: LocalConfig,
  { dataDir, log, giveUp }: { dataDir: string; log: (line: string) => void; giveUp: (error: Error) => void },
  cleanups: Cleanup[],
): Promise<{ databaseUrl: string; location: string }> {
  if (config.databaseUrl) return { databaseUrl: config.databaseUrl, location: 'that of DATABASE_URL' };
  const database = await keepDatabase({ dataDir: join(dataDir, 'postgres'), log, giveUp });
  cleanups.push((stopNow) => database.stop(stopNow));
  return { databaseUrl: database.url, location: database.location };
}

async function startServices(
  { commands, watch, log }: SuperviseOptions,
  {
    environment,
    giveUp,
    cleanups,
  }: { environment: Environment; giveUp: (error: Error) => void; cleanups: Cleanup[] },
): Promise<void> {
  const keep = (command: Command, awaitRestart: boolean): Service =>
    keepRunning(command, { environment, log, giveUp, awaitRestart });
  const services = commands.services.map((command) => keep(command, watch !== undefined));
  const companions = (commands.companions ?? []).map((command) => keep(command, false));
  cleanups.push((stopNow) =>
    Promise.all([...services, ...companions].map((service) => service.stop(stopNow))),
  );
  const unwatch = await watch?.(() => services.forEach((service) => service.restart()));
  if (unwatch) cleanups.push(async () => unwatch());
}

function childEnvironment(
  inherited: Environment,
  config: LocalConfig,
  secrets: { databaseUrl: string; encryptionKey: string },
): Environment {
  return {
    ...inherited,
    PORT: String(config.port),
    HOST: config.hosts.join(','),
    BASE_URL: config.baseUrl,
    DATABASE_URL: secrets.databaseUrl,
    ENCRYPTION_KEY: secrets.encryptionKey,
    SIGN_UP: config.signUp,
    WEBHOOK_ALLOWED_CIDRS: config.webhookAllowedCidrs,
    WEBHOOK_ALLOW_HTTP: config.webhookAllowHttp,
    LOCAL_MAILBOX: config.hasMailbox ? String(process.pid) : '',
  };
}

/**
 * Throws an error of one line when this port is in use on any address of this machine, and still is after `patienceMs`.
 */
async function requireFreePort(port: number, patienceMs = 0): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
    let code = await tryListen(port, host);
    while (code === 'EADDRINUSE' && Date.now() < deadline) {
      await delay(50);
      code = await tryListen(port, host);
    }
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${port} is in use. Stop the program that uses it or set PORT.`);
    if (code === 'EACCES') throw new Error(`Port ${port} is reserved for root. Set PORT to 1024 or more.`);
    // Any other code: this machine lacks that address, as without IPv6.
  }
}

async function tryListen(port: number, host: string): Promise<string | undefined> {
  const server = createServer().listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
  server.close();
  await once(server, 'close');
  return undefined;
}

/** Waits until the API at `origin` is ready: GET /readyz answers 200. */
async function waitReady(origin: string, timeoutMs: number, stop: AbortSignal): Promise<void> {
  const url = `${origin}/readyz`;
  const deadline = Date.now() + timeoutMs;
  let last = 'no answer';
  while (Date.now() < deadline) {
    stop.throwIfAborted();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      if (response.ok) return;
      last = `${response.status} ${(await response.text()).slice(0, 500)}`;
    } catch {
      // not listening yet
    }
    await delay(50, undefined, { signal: stop }).catch(() => {});
  }
  stop.throwIfAborted();
  throw new Error(`The service was not ready after ${timeoutMs / 1000} s: ${url} answered ${last}.`);
}
