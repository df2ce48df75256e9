// An account that does its worst: made as anyone can make one, by signing up, and given a key.
import { randomBytes } from 'node:crypto';
import { createCaller, type Call } from '../world.ts';

export interface Attacker {
  /** Of the member's session. */
  cookie: string;
  accountId: string;
  key: string;
  call: Call;
}

export async function signUpAttacker(origin: string): Promise<Attacker> {
  const person = {
    name: 'Mallory',
    email: `mallory-${randomBytes(4).toString('hex')}@example.com`,
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
  const made = await fetch(`${origin}/trpc/keys.create`, {
    method: 'POST',
    headers: { ...headers, cookie, 'x-workspace': accountId },
    body: JSON.stringify({ label: 'Worst', preset: 'full' }),
  });
  const { result } = (await made.json()) as { result: { data: { data: { key: string } } } };
  const { key } = result.data.data;
  return { cookie, accountId, key, call: createCaller(origin, key) };
}
