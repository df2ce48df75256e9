// Twenty thousand requests that nobody would write by hand. SEED=n tries others.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApi } from '../support/api.ts';
import { contractOf } from '../support/check-answer.ts';
import { startReceiver } from '../support/receiver.ts';
import { requestsOf, type FuzzRequest } from './fuzz-requests.ts';
import { leaks, seed } from './fuzz-judge.ts';
import { createSender, type Sent } from './fuzz-send.ts';
import { createFuzzWorld, knownFields } from './fuzz-world.ts';

const count = 20_000;
const concurrency = 16;

interface Finding {
  problem: string;
  request: string;
  answer: string;
}

test(
  `${count} requests, valid and broken, are all answered as the document says`,
  { timeout: 600_000 },
  async () => {
    console.log(`Fuzzing with SEED=${seed}`);
    await using service = await testApi();
    await using receiver = await startReceiver();
    const { document, problemsOf } = await contractOf(service.baseUrl);
    const known = knownFields(document);
    const world = await createFuzzWorld(service, document, receiver.url);
    const requests = fc.sample(requestsOf(document, known), { seed, numRuns: count });
    const sender = createSender(service.baseUrl, concurrency);
    const findings: Finding[] = [];
    const statuses = new Map<number, number>();

    const judge = (request: FuzzRequest, path: string, { status, headers, text }: Sent): string[] => {
      if (status >= 500) return [`status ${status}`];
      // The HTTP parser refuses some requests before a key is read: all of these answers but 417 have the shape of errors.
      if (!headers.has('x-ratelimit-limit') && [400, 408, 413, 417, 431].includes(status))
        return status === 417 || /^\{"code":"\w+","message":".+","requestId":".+","docUrl":".+"\}$/.test(text)
          ? []
          : ['shape'];
      if (!headers.has('x-request-id')) return ['no request id'];
      const leak = leaks.exec(text);
      return [
        ...(leak ? [`shows ${leak[0]}`] : []),
        ...problemsOf({ method: request.method, path, status, headers, text }),
      ];
    };

    const run = async (request: FuzzRequest): Promise<void> => {
      const fill = (text: string) => world.fill(text, request);
      const path = world.pathOf(request) + (request.query ? `?${fill(request.query)}` : '');
      const body = request.body && Buffer.from(fill(request.body.toString('latin1')), 'latin1');
      const authorization = world.authorizationOf(request.caller);
      const headers = [
        ...request.headers.map(fill),
        ...(authorization ? ['Authorization', authorization] : []),
      ];
      const asked = { ...request, target: `/api/v1${path}`, headers, body };
      const sent = await sender.send(asked).catch((error: unknown) => error as Error);
      const problems = sent instanceof Error ? [`no answer: ${sent.message}`] : judge(request, path, sent);
      if (!(sent instanceof Error)) {
        statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1);
        if (sent.status < 300) world.learn(request, path, sent.headers, sent.text && JSON.parse(sent.text));
      }
      for (const problem of problems) {
        findings.push({
          problem,
          request: `${request.method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 400)} ${request.chunked} ${body?.toString().slice(0, 1500)}`,
          answer: sent instanceof Error ? '' : sent.text.slice(0, 500),
        });
      }
    };

    let next = 0;
    const work = async (): Promise<void> => {
      while (next < requests.length) await run(requests[next++]!);
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    sender.close();

    // It did reach deep code, not only the guards at the door.
    for (const status of [200, 201, 204, 304, 400, 401, 404, 405, 409, 415, 422])
      expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
    expect(findings.slice(0, 10)).toEqual([]);
  },
);
