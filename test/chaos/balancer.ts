// Passes requests on to API processes in turn, as the load balancer of an operator does.
import { Agent, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../support/receiver.ts';

export interface Balancer extends AsyncDisposable {
  origin: string;
  add(apiOrigin: string): void;
  /** New requests no longer go there; open ones are finished. */
  remove(apiOrigin: string): void;
  passed(): number;
  /** Requests that got no whole answer or a 5xx: what happened, and how often. */
  failures(): [failure: string, count: number][];
}

export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const targets: string[] = [];
  const failures = new Map<string, number>();
  let passed = 0;

  const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
    const target = targets[passed % targets.length];
    passed += 1;
    const fail = (reason: string): void => {
      if (response.destroyed) return; // the caller is gone
      const failure = `${incoming.method} ${incoming.url!.replaceAll(/[\w-]{20,}/g, '{id}')}: ${reason}`;
      failures.set(failure, (failures.get(failure) ?? 0) + 1);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    if (target === undefined) return fail('no API');
    const { method, url, headers } = incoming;
    const outgoing = request(target + url, { method, headers, agent }, (answer) => {
      const { statusCode, statusMessage, rawHeaders } = answer;
      if (statusCode! >= 500) fail(String(statusCode));
      if (response.headersSent) return void answer.resume();
      response.writeHead(statusCode!, statusMessage, rawHeaders);
      answer.on('error', (error) => fail(error.message)).pipe(response);
    });
    outgoing.on('error', (error) => fail(error.message));
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };

  const { origin, close } = await listen(pass);
  return {
    origin,
    add: (target) => void targets.push(target),
    remove: (target) => void targets.splice(targets.indexOf(target), 1),
    passed: () => passed,
    failures: () => [...failures],
    async [Symbol.asyncDispose]() {
      await close();
      agent.destroy();
    },
  };
}
