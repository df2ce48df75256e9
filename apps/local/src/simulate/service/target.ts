// Finds the service of the simulation, and a key for it.
import { randomBytes } from 'node:crypto';
import { serviceCommands } from '@service/composition';
import { readDemo } from '../../data-dir.ts';
import { openDashboard } from '../../demo-dashboard.ts';
import { openAdmin, type Admin } from '../../open-admin.ts';
import { readRunning } from '../../running.ts';
import {
  createStripeSecret,
  noRevenue,
  openedRevenue,
  openRevenueBySignIn,
  pathOfUrl,
  type OpenedRevenue,
} from './revenue-doors.ts';
import type { TargetOptions } from '../options.ts';

export interface Target {
  /** Without a trailing slash. */
  baseUrl: string;
  key: string;
  /** The origin of the key, for messages. */
  origin: string;
  /** Makes the account's revenue sources usable. A key alone cannot. */
  openRevenue(): Promise<OpenedRevenue>;
  /** Revokes a key that was created for this. */
  release(): Promise<void>;
}

type Variables = Record<string, string | undefined>;

const label = 'npm run simulate';

/** Throws an error of one line when nothing is running. */
export async function findTarget(options: TargetOptions, variables: Variables): Promise<Target> {
  const dataDir = variables.DATA_DIR || '.data';
  const running = await readRunning(dataDir);
  const baseUrl =
    options.baseUrl ??
    variables.BASE_URL?.replace(/\/+$/, '') ??
    running?.baseUrl ??
    `http://localhost:${variables.PORT || 3000}`;
  await requireService(baseUrl);
  if (options.key !== undefined)
    return {
      baseUrl,
      key: options.key,
      origin: 'the key that was given',
      openRevenue: async () => noRevenue('a key cannot read the secrets of revenue sources.'),
      release: async () => undefined,
    };
  if (options.account !== undefined) return keyByAdmin(baseUrl, variables, options.account);
  const { email, password } = options;
  if (email !== undefined && password !== undefined) return keyBySignIn(baseUrl, { email, password });
  const demo = running && (await readDemo(dataDir));
  if (demo) return keyBySignIn(baseUrl, demo);
  if (variables.DATABASE_URL) return keyByAdmin(baseUrl, variables);
  throw new Error('No service is running here. Start it with npm start, or give --key.');
}

async function requireService(baseUrl: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/healthz`).catch(() => undefined);
  if (!answer?.ok) throw new Error(`Nothing answers at ${baseUrl}. Start it with: npm start`);
}

/** Creates a key as Settings > API keys does, with a sign-in. */
async function keyBySignIn(baseUrl: string, account: { email: string; password: string }): Promise<Target> {
  const dashboard = await openDashboard(baseUrl, account);
  const { id, key } = await dashboard.createKey(label);
  return {
    baseUrl,
    key,
    origin: `a key of ${account.email}`,
    openRevenue: () => openRevenueBySignIn(dashboard),
    release: () => dashboard.revokeKey(id),
  };
}

/** Creates a key as an operator does, in a given or a new account. */
async function keyByAdmin(baseUrl: string, variables: Variables, account?: string): Promise<Target> {
  const { accountId, keyId, key } = await withAdmin(variables, async (admin) => {
    const accountId = account ?? (await createAccount(admin));
    const made = await run(admin, 'create-key', { account: accountId, label, preset: 'full' });
    const { id, key } = made as { id: string; key: string };
    return { accountId, keyId: id, key };
  });
  return {
    baseUrl,
    key,
    origin: `a key of account ${accountId}`,
    openRevenue: () => withAdmin(variables, (admin) => openRevenueByAdmin(admin, accountId)),
    release: () =>
      withAdmin(variables, (admin) => run(admin, 'revoke-key', { id: keyId })).then(() => undefined),
  };
}

/** Its owner has a random password. An operator can add members. */
async function createAccount(admin: Admin): Promise<string> {
  const made = await run(admin, 'create-account', {
    name: 'Simulation',
    'owner-email': `simulation-${Date.now()}@example.com`,
    'owner-password': randomBytes(18).toString('base64url'),
  });
  return (made as { accountId: string }).accountId;
}

/** Both secrets are new, and stay. Payment providers of a real account would have to be given them, so this is for test accounts. */
async function openRevenueByAdmin(admin: Admin, account: string): Promise<OpenedRevenue> {
  const command = 'revenue-source';
  if (!serviceCommands[command]) return noRevenue('this service takes no revenue events.');
  const made = await run(admin, command, { account, provider: 'generic' });
  const { url, secret } = made as { url: string; secret?: string };
  if (secret === undefined) return noRevenue('the account has a generic secret already.');
  const stripeSecret = createStripeSecret();
  const stripe = await run(admin, command, { account, provider: 'stripe', secret: stripeSecret });
  return openedRevenue({
    generic: { path: pathOfUrl(url), secret },
    stripe: { path: pathOfUrl((stripe as { url: string }).url), secret: stripeSecret },
  });
}

const run = (admin: Admin, command: string, values: Record<string, string>): Promise<unknown> =>
  serviceCommands[command]!.run(admin, values);

async function withAdmin<Result>(
  variables: Variables,
  work: (admin: Admin) => Promise<Result>,
): Promise<Result> {
  const admin = await openAdmin(variables);
  try {
    return await work(admin);
  } finally {
    await admin.close();
  }
}
