// A signed-in member, and their calls as the dashboard makes them.
import type { TestAccount, TestApi } from './api.ts';

export interface Member {
  /** The cookie of the sign-in session. */
  cookie: string;
  /** One request: `webinars.list`, or several paths as a batch. */
  call(paths: string | readonly string[], at?: Pick<TestApi, 'baseUrl'>): Promise<MemberAnswer>;
  send(path: string, init?: MemberRequest, at?: Pick<TestApi, 'baseUrl'>): Promise<MemberAnswer>;
}

type MemberRequest = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

export interface MemberAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test says what it expects
  json: any;
}

type Person = Pick<TestAccount, 'accountId' | 'email' | 'password'>;

/** Signs in to the workspace of an account. */
export async function signInMember(service: Pick<TestApi, 'baseUrl'>, person: Person): Promise<Member> {
  const { accountId } = person;
  const cookies = await signInCookies(service, person);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const send: Member['send'] = async (path, init = {}, { baseUrl } = service) => {
    const response = await fetch(`${baseUrl}/trpc/${path}`, {
      ...init,
      headers: { cookie, 'x-workspace': accountId, ...init.headers },
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  };
  return {
    cookie,
    send,
    call: (paths, at) =>
      typeof paths === 'string'
        ? send(`${paths}?input=%7B%7D`, {}, at)
        : send(`${paths.join(',')}?batch=1&input=${encodeURIComponent(inputsOf(paths.length))}`, {}, at),
  };
}

const inputsOf = (calls: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: calls }, (_, index) => [index, {}])));

/** The cookies of a new sign-in session. Their values are as they are sent. */
export async function signInCookies(
  { baseUrl }: Pick<TestApi, 'baseUrl'>,
  { email, password }: Pick<TestAccount, 'email' | 'password'>,
): Promise<{ name: string; value: string }[]> {
  const answer = await fetch(`${baseUrl}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: baseUrl },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
}
