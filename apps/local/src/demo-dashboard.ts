// Calls of the dashboard, with the sign-in of the demo workspace.
import { setTimeout as wait } from 'node:timers/promises';
import type { DemoAccount } from './data-dir.ts';

interface Key {
  id: string;
  label: string;
  maskedKey: string;
  access: string;
  lastUsedAt: string | null;
  requests: number;
}

interface Call {
  keyId: string;
  status: number;
  /** Null for a call over MCP. */
  method: string | null;
  path: string | null;
  /** The tool of a call over MCP. */
  tool: string | null;
  durationMs: number;
}

/** A source of revenue events, and its secret as far as it is shown. */
interface RevenueSource {
  provider: string;
  url: string;
  /** Null without a secret. */
  secretLast4: string | null;
}

interface Person {
  name: string;
  email: string;
  registrations: number;
  attended: number;
}

export type Dashboard = Awaited<ReturnType<typeof openDashboard>>;

/** Signs in. Throws an error of one line when the service is not running or refuses the sign-in. */
export async function openDashboard(baseUrl: string, { email, password }: DemoAccount) {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', Origin: baseUrl };
  const signIn = await fetch(`${baseUrl}/api/auth/sign-in/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  }).catch(() => {
    throw new Error(`Nothing answers at ${baseUrl}. Start it with: npm start`);
  });
  if (!signIn.ok) throw new Error(`Could not sign in as ${email}: ${signIn.status} ${await signIn.text()}`);
  headers.Cookie = signIn.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
  const session = await fetch(`${baseUrl}/api/session`, { headers });
  const { workspaces } = (await session.json()) as { workspaces: { id: string }[] };
  headers['x-workspace'] = workspaces[0]!.id;

  async function query<Data>(procedure: string, input?: unknown): Promise<Data> {
    const search = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return read(await fetch(`${baseUrl}/trpc/${procedure}${search}`, { headers }));
  }
  async function mutate<Data>(procedure: string, input: unknown): Promise<Data> {
    return read(
      await fetch(`${baseUrl}/trpc/${procedure}`, { method: 'POST', headers, body: JSON.stringify(input) }),
    );
  }

  const keys = () => query<Key[]>('keys.list');
  return {
    keys,
    createKey: (label: string) => mutate<Key & { key: string }>('keys.create', { label, preset: 'full' }),
    revokeKey: (keyId: string) => mutate<undefined>('keys.revoke', { keyId }),
    /** The key when at least this number of requests is counted. Requests are counted with a short delay. */
    async usedKey(keyId: string, requests: number): Promise<Key> {
      for (let tries = 1; ; tries += 1) {
        const key = (await keys()).find((candidate) => candidate.id === keyId)!;
        if (key.requests >= requests || tries === 20) return key;
        await wait(100);
      }
    },
    calls: async (keyId: string) =>
      (await query<Call[]>('activity.list', { limit: 20 })).filter((call) => call.keyId === keyId),
    revenueSources: () => query<RevenueSource[]>('revenueSources.list'),
    /** Makes the secret of the generic source. A secret is shown once, so it throws when there is one already. */
    createGenericSecret: async () =>
      (await mutate<{ secret: string }>('revenueSources.createSecret', {})).secret,
    setRevenueSecret: (provider: string, secret: string) =>
      mutate<undefined>('revenueSources.setSecret', { provider, secret }),
    takeCreditAway: (revenueEventId: string, why: string) =>
      mutate<undefined>('revenue.decideCredit', { revenueEventId, registrationId: null, why }),
    /** The rule credits the payment again. */
    endDecision: (revenueEventId: string) => mutate<undefined>('revenue.endDecision', { revenueEventId }),
    people: (q: string) => query<Person[]>('people.list', { q }),
    archivedWebinars: () =>
      query<{ id: string; title: string; status: string }[]>('webinars.listArchived', {}),
    deleteWebinar: (webinarId: string) => mutate<undefined>('webinars.delete', { webinarId }),
    removeRevenueSecret: (provider: string) => mutate<undefined>('revenueSources.removeSecret', { provider }),
  };
}

async function read<Data>(response: Response): Promise<Data> {
  const answer = (await response.json()) as {
    result: { data?: { data: Data } };
    error?: { message: string };
  };
  if (answer.error) throw new Error(answer.error.message);
  return answer.result.data?.data as Data;
}
