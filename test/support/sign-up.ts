// An account as anyone can make one at a server, by signing up.
import { randomBytes } from 'node:crypto';

export interface SignedUp {
  /** Of the member's session. */
  cookie: string;
  userId: string;
  accountId: string;
  email: string;
  password: string;
  /** A mutation of the dashboard, in this workspace of the member by default. Throws when it is refused. */
  mutate<Data>(procedure: string, input: object, workspaceId?: string): Promise<Data>;
}

/** `page` is the address that people use, as a browser names it. */
export async function signUp(origin: string, name = 'Ada', page = 'http://localhost'): Promise<SignedUp> {
  const send = async (path: string, body: object, more: Record<string, string> = {}): Promise<Response> => {
    const headers = { 'content-type': 'application/json', origin: page, ...more };
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const email = `${name.toLowerCase()}-${randomBytes(4).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('hex');
  const signedUp = await send('/api/auth/sign-up/email', { name, email, password });
  const cookies = signedUp.headers.getSetCookie().map((line) => line.split(';')[0]);
  const cookie = cookies.join('; ');
  const session = await fetch(`${origin}/api/session`, { headers: { cookie } });
  const { user, workspaces } = (await session.json()) as Record<'user', { id: string }> &
    Record<'workspaces', { id: string }[]>;
  const accountId = workspaces[0]!.id;
  return {
    cookie,
    userId: user.id,
    accountId,
    email,
    password,
    async mutate(procedure, input, workspaceId = accountId) {
      const answer = await send(`/trpc/${procedure}`, input, { cookie, 'x-workspace': workspaceId });
      return JSON.parse(await answer.text()).result.data?.data;
    },
  };
}
