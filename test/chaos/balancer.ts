// Passes requests on to API processes in turn, as the load balancer of an operator does.
import { Agent, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../support/receiver.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface Balancer extends AsyncDisposable {
  origin: string;
  add(apiOrigin: string): void;
  /** Sends no new requests there. Resolves when the open ones have ended, event streams aside. */
  remove(apiOrigin: string): Promise<void>;
  passed(): number;
  /** Requests that got no whole answer or a 5xx: what happened, and how often. */
  failures(): [failure: string, count: number][];
}

const drainMaxMs = 10_000;

export async function startBalancer(): Promise<Balancer> {
  // A connection for each request: one that is used again may be closed by the API at that moment.
  const agent = new Agent({ keepAlive: false });
  const targets: string[] = [];
  const failures = new Map<string, number>();
  /** Requests that are open, by the API. */
  const open = new Map<string, number>();
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
    if (target === undefined) {
      fail('no API');
      return;
    }
    open.set(target, (open.get(target) ?? 0) + 1);
    let isOpen = true;
    const end = (): void => {
      if (isOpen) open.set(target, open.get(target)! - 1);
      isOpen = false;
    };
    const { method, url, headers } = incoming;
    const outgoing = request(target + url, { method, headers, agent }, (answer) => {
      const { statusCode, statusMessage, rawHeaders } = answer;
      if (answer.headers['content-type']?.startsWith('text/event-stream')) end();
      if (statusCode! >= 500) fail(String(statusCode));
      if (response.headersSent) {
        answer.resume();
        return;
      }
      response.writeHead(statusCode!, statusMessage, rawHeaders);
      answer.on('error', (error) => fail(error.message)).pipe(response);
    });
    outgoing.on('error', (error) => fail(error.message));
    response.on('close', () => {
      end();
      outgoing.destroy();
    });
    incoming.pipe(outgoing);
  };

  const { origin, close } = await listen(pass);
  return {
    origin,
    add: (target) => void targets.push(target),
    async remove(target) {
      targets.splice(targets.indexOf(target), 1);
      await waitUntil(() => !open.get(target), drainMaxMs);
    },
    passed: () => passed,
    failures: () => [...failures],
    async [Symbol.asyncDispose]() {
      await close();
      agent.destroy();
    },
  };
}
