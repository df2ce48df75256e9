// An account as anyone can make one, by signing up, with a key.
import { randomBytes } from 'node:crypto';
import { createCaller, type Call } from './world.ts';

export interface SignedUp {
  /** Of the member's session. */
  cookie: string;
  accountId: string;
  key: string;
  call: Call;
  /** A mutation of the dashboard, by the owner. Throws when it is refused. */
  mutate<Data>(procedure: string, input: object): Promise<Data>;
}

export async function signUp(origin: string, name: string): Promise<SignedUp> {
  const person = {
    name,
    email: `${name.toLowerCase()}-${randomBytes(4).toString('hex')}@example.com`,
    password: randomBytes(12).toString('base64url'),
  };
  // The address that people use, as a browser names it.
  const page = origin.replace('127.0.0.1', 'localhost');
  const headers = { 'content-type': 'application/json', origin: page };
  const signedUp = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(person),
  });
  if (!signedUp.ok) throw new Error(`Sign-up was answered ${signedUp.status}: ${await signedUp.text()}`);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const session = await fetch(`${origin}/api/session`, { headers: { cookie } });
  const { workspaces } = (await session.json()) as { workspaces: { id: string }[] };
  const accountId = workspaces[0]!.id;
  const mutate: SignedUp['mutate'] = async (procedure, input) => {
    const answer = await fetch(`${origin}/trpc/${procedure}`, {
      method: 'POST',
      headers: { ...headers, cookie, 'x-workspace': accountId },
      body: JSON.stringify(input),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${procedure} was answered ${answer.status}: ${text}`);
    return JSON.parse(text).result.data?.data;
  };
  const { key } = await mutate<{ key: string }>('keys.create', { label: 'Drill', preset: 'full' });
  return { cookie, accountId, key, call: createCaller(origin, key), mutate };
}
