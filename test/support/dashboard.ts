import type { TestAccount, TestApi } from './api.ts';

/** What the dashboard does over HTTP, as one signed-in person in one workspace. A refusal is thrown as its code. */
export interface DashboardClient {
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are whatever the procedure gives
  query(procedure: string, input?: unknown): Promise<any>;
  // oxlint-disable-next-line typescript/no-explicit-any
  mutate(procedure: string, input: unknown): Promise<any>;
}

export async function openDashboard(
  { baseUrl }: Pick<TestApi, 'baseUrl'>,
  { email, password, accountId }: Pick<TestAccount, 'email' | 'password' | 'accountId'>,
): Promise<DashboardClient> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Origin: baseUrl,
    'x-workspace': accountId,
  };
  const signIn = await fetch(`${baseUrl}/api/auth/sign-in/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  });
  if (!signIn.ok) throw new Error(`Sign-in was answered ${signIn.status}`);
  headers.Cookie = signIn.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
  return {
    query: async (procedure, input) =>
      read(
        await fetch(
          `${baseUrl}/trpc/${procedure}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`,
          { headers },
        ),
      ),
    mutate: async (procedure, input) =>
      read(
        await fetch(`${baseUrl}/trpc/${procedure}`, { method: 'POST', headers, body: JSON.stringify(input) }),
      ),
  };
}

async function read(response: Response): Promise<unknown> {
  const answer = (await response.json()) as {
    result: { data?: { data: unknown } };
    error?: { data: { code: string } };
  };
  if (answer.error) throw Object.assign(new Error(answer.error.data.code), { status: response.status });
  return answer.result.data?.data;
}
