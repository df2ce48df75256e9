import { randomBytes } from 'node:crypto';
import { serviceEntities } from '@service/composition';
import { openDatabase } from '@service/database';
import { Pool, type QueryResultRow } from 'pg';
import { createBenchWorld, type BenchWorld } from '../bench/bench-world.ts';
import type { ChaosPostgres } from './chaos-postgres.ts';
import { runProgram, type FormerVersion } from './former-version.ts';
import { freePort } from '../support/free-port.ts';
import { signUp, type SignedUp } from '../support/sign-up.ts';
import { startReceiverProcess, type ReceiverProcess } from '../support/receiver-process.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';

/** An account with a key and webinars, a receiver, and as many processes of the service as a drill starts. */
export interface ChaosWorld extends BenchWorld, AsyncDisposable {
  postgres: ChaosPostgres;
  databaseUrl: string;
  encryptionKey: string;
  /** One receiver; its paths are listed in receiver-main.ts. */
  receiver: ReceiverProcess;
  /** Always the same, also of an API process that takes the place of another. */
  apiOrigin: string;
  /** Ready when it resolves. On a port of its own it works beside the one at `apiOrigin`. */
  startApi(options?: ApiStart): Promise<ServiceProcess>;
  /** Not ready yet when it resolves. */
  startWorker(options?: WorkerStart): Promise<ServiceProcess>;
  /** A call to `/api/v1`. Returns `data` of its answer; throws when it is refused. */
  call: Call;
  query<Row extends QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Due and claimed deliveries. */
  countDue(): Promise<number>;
}

/** `GET /me` or `POST /webinars`, below /api/v1. */
export type Call = <Data>(route: string, body?: unknown) => Promise<Data>;

interface WorkerStart {
  /** The folder of the version; this one by default. */
  root?: string;
  clockAheadMs?: number;
  variables?: Record<string, string>;
  /** Gets everything that the process writes. */
  onText?: (text: string) => void;
}

interface ApiStart extends WorkerStart {
  port?: number;
}

interface WorldOptions {
  postgres: ChaosPostgres;
  webinars: number;
  keepBodies?: boolean;
  /** This version migrates the database and makes the account. */
  former?: FormerVersion;
}

/** Deliveries in flight in each worker, which is the bound of duplicates. */
export const workerConcurrency = 32;

/** The wait before each try, in seconds. */
export const retryScheduleSeconds = [0, 2, 3, 3, 4, 5];

export async function openChaosWorld({
  postgres,
  webinars,
  keepBodies = false,
  former,
}: WorldOptions): Promise<ChaosWorld> {
  await using opened = new AsyncDisposableStack();
  const name = `chaos_${randomBytes(4).toString('hex')}`;
  const databaseUrl = await postgres.createDatabase(name, { isEmpty: former !== undefined });
  const encryptionKey = randomBytes(32).toString('base64');
  const shared = sharedVariables(databaseUrl, encryptionKey);
  const account = former
    ? await createAccountBy(former, shared, webinars)
    : await createAccount(databaseUrl, webinars);
  const pool = new Pool({ connectionString: databaseUrl, max: 4, application_name: 'chaos' });
  pool.on('error', () => undefined); // drills stop the server
  opened.defer(() => pool.end());
  const receiver = opened.use(
    await startReceiverProcess({ receivers: 1, record: keepBodies ? 'bodies' : 'receipts' }),
  );
  const query: ChaosWorld['query'] = async (sql, values) => (await pool.query(sql, values)).rows;

  const processes: ServiceProcess[] = [];
  opened.defer(async () => {
    await Promise.all(processes.map((process) => process.kill()));
  });
  const apiPort = await freePort();
  const apiOrigin = `http://127.0.0.1:${apiPort}`;
  const kept = opened.move();
  return {
    ...account,
    postgres,
    databaseUrl,
    encryptionKey,
    receiver,
    apiOrigin,
    async startApi({ port = apiPort, variables: own, ...rest } = {}) {
      const variables = {
        ...shared,
        PORT: String(port),
        API_RATE_LIMIT: '1000000000',
        SIGN_UP: 'open',
        ...own,
      };
      const api = startServiceProcess({ kind: 'api', name: 'api', port, variables, ...rest });
      processes.push(api);
      await api.untilReady();
      return api;
    },
    async startWorker({ variables: own, ...rest } = {}) {
      const name = `worker ${processes.filter(({ name }) => name !== 'api').length + 1}`;
      const port = await freePort();
      const variables = {
        ...shared,
        WORKER_PORT: String(port),
        WORKER_CONCURRENCY: String(workerConcurrency),
        ...own,
      };
      const worker = startServiceProcess({ kind: 'worker', name, port, variables, ...rest });
      processes.push(worker);
      return worker;
    },
    call: createCaller(apiOrigin, account.key),
    query,
    async countDue() {
      const [row] = await query<{ due: number }>('select count(*)::int as due from deliveries.due');
      return row!.due;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function createAccount(url: string, webinars: number): Promise<BenchWorld> {
  const database = await openDatabase({ url, entities: serviceEntities, name: 'chaos' });
  try {
    return await createBenchWorld(database, webinars);
  } finally {
    await database.close();
  }
}

/** Migrates and makes the account with the commands of operators, which each version has. */
async function createAccountBy(
  { root }: FormerVersion,
  variables: Record<string, string>,
  webinarCount: number,
): Promise<BenchWorld> {
  const run = async (...program: [string, ...string[]]): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(root, program, { variables, maxMs: commandMaxMs });
    if (code !== 0) throw new Error(`${program.slice(0, 2).join(' ')} failed: ${stderr}`);
    return stdout;
  };
  const admin = async <Made>(...args: string[]): Promise<Made> =>
    JSON.parse(await run('apps/local/src/admin.ts', ...args)) as Made;
  await run('infra/migrate.ts');
  const password = randomBytes(12).toString('hex');
  const owner = ['--owner-email', 'load@example.com', '--owner-password', password];
  const { accountId } = await admin<{ accountId: string }>('create-account', '--name', 'Load', ...owner);
  const account = ['--account', accountId];
  const { key } = await admin<{ key: string }>(
    'create-key',
    ...account,
    '--label',
    'Drill',
    '--preset',
    'full',
  );
  const webinars: BenchWorld['webinars'] = [];
  while (webinars.length < webinarCount)
    webinars.push(
      await admin('create-webinar', ...account, '--title', `Webinar ${webinars.length}`, '--publish'),
    );
  return { accountId, key, webinars };
}

const commandMaxMs = 60_000;

/** Variables that API and workers share. */
const sharedVariables = (databaseUrl: string, encryptionKey: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: encryptionKey,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_RETRY_SCHEDULE_SECONDS: retryScheduleSeconds.join(','),
});

/** Calls the API with a key. */
export const createCaller =
  (origin: string, key: string): Call =>
  async <Data>(route: string, body?: unknown) => {
    const [method, path] = route.split(' ') as [string, string];
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${route} was answered ${response.status}: ${text}`);
    return (text === '' ? undefined : (JSON.parse(text) as { data: Data }).data) as Data;
  };

/** An account as anyone can make one, by signing up, with a key. */
export interface Account extends SignedUp {
  key: string;
  call: Call;
}

export async function openAccount(origin: string, name: string): Promise<Account> {
  const account = await signUp(origin, name, origin.replace('127.0.0.1', 'localhost'));
  const { key } = await account.mutate<{ key: string }>('keys.create', { label: 'Drill', preset: 'full' });
  return { ...account, key, call: createCaller(origin, key) };
}
