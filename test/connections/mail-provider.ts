// An e-mail provider that behaves like Resend: it knows one key and a list of domains, and answers other keys like the real one.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MailProvider extends AsyncDisposable {
  url: string;
  /** The only key that is valid. */
  key: string;
  domains: { name: string; status: 'verified' | 'pending' }[];
  /** The requests, as method, path and key. */
  requests: string[];
  /** Answers instead of the usual answer, until it is removed. */
  override: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

export const newKey = (): string => `re_${randomBytes(18).toString('hex')}`;

export async function startMailProvider(): Promise<MailProvider> {
  const server = createServer((request, response) => {
    const given = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    provider.requests.push(`${request.method} ${request.url} ${given}`);
    if (provider.override) return provider.override(request, response);
    const isValid = given === provider.key;
    const body = isValid
      ? { data: provider.domains }
      : // Some servers repeat the request in their errors.
        { statusCode: 401, name: 'validation_error', message: `API key is invalid: ${given}` };
    response.writeHead(isValid ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: MailProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: newKey(),
    domains: [{ name: 'example.com', status: 'verified' }],
    requests: [],
    override: undefined,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}
