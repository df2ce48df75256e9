import { randomBytes } from 'node:crypto';

export interface Member {
  cookie: string;
  userId: string;
  accountId: string;
}

/** Signs up at a server, with a new workspace. */
export async function signUp(origin: string): Promise<Member> {
  const answer = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    // The public URL of the server.
    headers: { 'Content-Type': 'application/json', Origin: 'http://localhost' },
    body: JSON.stringify({
      name: 'Ada',
      email: `ada-${randomBytes(4).toString('hex')}@example.com`,
      password: randomBytes(12).toString('base64url'),
    }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const session = await fetch(`${origin}/api/session`, { headers: { cookie } });
  const { user, workspaces } = (await session.json()) as {
    user: { id: string };
    workspaces: { id: string }[];
  };
  return { cookie, userId: user.id, accountId: workspaces[0]!.id };
}
