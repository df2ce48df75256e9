import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createAccounts,
  createAccountsRouter,
  createSuspension,
  type Accounts,
  type AccountsOptions,
  type SessionAnswer,
} from '@service/accounts';
import type { Database } from '@service/database';
import { createJobs } from '@service/jobs';
import { createLog } from '@service/log';
import { createReply, type Principal } from '@service/trpc';
import { testDatabase } from '../support/database.ts';

export const password = 'correct horse battery';
export const secret = 'Zb8kq2Lw0xVtY5rJ7nHcE3mPaS9dGfU1';

/** Stands in for the proxy of a network: the address that a test's browser has. */
export const addressHeader = 'x-test-address';

export interface AccountsServer extends AsyncDisposable {
  accounts: Accounts;
  database: Database;
  url: string;
  baseUrl: string;
  /** Errors that the module reported. */
  failures: unknown[];
  browser(address?: string): Browser;
  /** The router as a signed-in principal calls it. */
  as(principal: Principal | null): ReturnType<ReturnType<typeof createAccountsRouter>['createCaller']>;
}

export interface ServerOptions extends Partial<Omit<AccountsOptions, 'mail'>> {
  /** The way of mails out of the installation. None are sent by default. */
  mail?: 'smtp' | 'mailbox';
}

/** One database with the module in front of it on a real node:http server; `shared` is the database of another. */
export async function startAccounts(
  { mail, ...options }: ServerOptions = {},
  shared?: Pick<AccountsServer, 'url' | 'database'>,
): Promise<AccountsServer> {
  const own = shared ? undefined : await testDatabase();
  const test = shared ?? own!;
  const failures: unknown[] = [];
  let accounts: Accounts;
  const server = createServer((req, res) => {
    if (req.url === '/api/session') accounts.sessionHandler(req, res);
    else accounts.handler(req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  accounts = await createAccounts({
    databaseUrl: test.url,
    baseUrl,
    secret,
    signInLimit: false,
    onError: (message, cause) => failures.push(message, cause),
    mail: mail && { mode: mail, jobs: createJobs(test.database.pool) },
    ...options,
  });
  const log = createLog('test', { level: 'silent' });
  return {
    accounts,
    database: test.database,
    url: test.url,
    baseUrl,
    failures,
    browser: (address) => new Browser(baseUrl, address),
    as: (principal) =>
      createAccountsRouter({
        streams: { open: noStream },
        membershipSubscriber: noSubscriber,
        suspendAccount,
        accounts,
      }).createCaller({
        principal,
        database: test.database,
        now: new Date(),
        log,
        requestId: 'test',
        reply: createReply(),
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await accounts.close();
      await own?.[Symbol.asyncDispose]();
    },
  };
}

const { suspendAccount } = createSuspension([]);
const noSubscriber = { memberRemoved: async () => undefined };

// Streams are tested over HTTP.
const noStream = (): never => {
  throw new Error('This caller has no connection.');
};

/** fetch with a cookie jar and the Origin header that browsers send. */
export class Browser {
  cookies = new Map<string, string>();
  baseUrl: string;
  /** Its network address, for servers that read `addressHeader`. */
  address: string;

  constructor(baseUrl: string, address = '127.0.0.1') {
    this.baseUrl = baseUrl;
    this.address = address;
  }

  /** The headers with which the dashboard's further requests come. */
  get headers(): { cookie: string } {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  async get(path: string) {
    return await this.#request(path, { headers: { ...this.headers } });
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}) {
    return await this.#request(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', origin: this.baseUrl, ...this.headers, ...headers },
    });
  }

  async signUp(person: { name: string; email: string; workspaceName?: string }) {
    return await this.post('/api/auth/sign-up/email', { password, ...person });
  }

  async signIn(email: string, given = password) {
    return await this.post('/api/auth/sign-in/email', { email, password: given });
  }

  async #request(path: string, init: { method?: string; body?: string; headers: Record<string, string> }) {
    const headers = { ...init.headers, [addressHeader]: this.address };
    const response = await fetch(`${this.baseUrl}${path}`, { ...init, headers });
    const setCookies = response.headers.getSetCookie();
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return {
      status: response.status,
      body: (await response.json()) as SessionAnswer & { code?: string; status?: string },
      headers: response.headers,
      setCookies,
    };
  }
}
