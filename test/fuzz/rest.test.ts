// Requests made from the document, most of which reach deep code. SEED=n tries others, FUZZ_SCALE=n more.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApi } from '../support/api.ts';
import { contractOf } from '../support/check-answer.ts';
import { startReceiver } from '../support/receiver.ts';
import { requestsOf, type FuzzRequest } from './rest-requests.ts';
import { failureLog, leakIn, requestsFor, seed, timeoutFor } from './judge.ts';
import { runRequests } from './run-requests.ts';
import { createSender, type Sent } from './send.ts';
import { createFuzzWorld, knownFields } from './rest-world.ts';

const count = requestsFor(3000);
const concurrency = 16;

test(
  `${count} requests, valid and broken, are all answered as the document says`,
  { timeout: timeoutFor(count) },
  async () => {
    console.log(`Fuzzing with SEED=${seed}`);
    await using service = await testApi({ log: failureLog });
    await using receiver = await startReceiver();
    const { document, problemsOf } = await contractOf(service.baseUrl);
    const known = knownFields(document);
    const world = await createFuzzWorld(service, document, receiver.url);
    const requests = fc.sample(requestsOf(document, known), { seed, numRuns: count });
    const sender = createSender(service.baseUrl, concurrency);
    const judge = (request: FuzzRequest, path: string, { status, headers, text }: Sent): string[] => {
      if (status >= 500) return [`status ${status}`];
      // The HTTP parser refuses some requests before a key is read: all of these answers but 417 have the shape of errors.
      if (!headers.has('x-ratelimit-limit') && [400, 408, 413, 417, 431].includes(status)) {
        const isShaped = /^\{"code":"\w+","message":".+","requestId":".+","docUrl":".+"\}$/.test(text);
        return status === 417 || request.method === 'HEAD' || isShaped ? [] : ['not our shape of an error'];
      }
      if (!headers.has('x-request-id')) return ['no request id'];
      return [...leakIn(text), ...problemsOf({ method: request.method, path, status, headers, text })];
    };

    const filled = (request: FuzzRequest) => {
      const fill = (text: string) => world.fill(text, request);
      const authorization = world.authorizationOf(request.caller);
      return {
        path: world.pathOf(request) + (request.query ? `?${fill(request.query)}` : ''),
        body: request.body && Buffer.from(fill(request.body.toString('latin1')), 'latin1'),
        headers: [...request.headers.map(fill), ...(authorization ? ['Authorization', authorization] : [])],
      };
    };
    // Filled once: what exists changes from one request to the next.
    const outgoing = new Map<FuzzRequest, ReturnType<typeof filled>>();
    const { findings, statuses } = await runRequests({
      requests,
      concurrency,
      async send(request) {
        const { path, body, headers } = filled(request);
        outgoing.set(request, { path, body, headers });
        const sent = await sender.send({ ...request, target: `/api/v1${path}`, headers, body });
        if (sent.status < 300) world.learn(request, path, sent.headers, sent.text && JSON.parse(sent.text));
        return sent;
      },
      judge: (request, sent) => judge(request, outgoing.get(request)!.path, sent),
      describe(request) {
        const { path, body, headers } = outgoing.get(request)!;
        return `${request.method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 400)} ${request.chunked} ${body?.toString().slice(0, 1500)}`;
      },
    });
    sender.close();

    // It did reach deep code, not only the guards at the door.
    for (const status of [200, 201, 204, 304, 400, 401, 404, 405, 409, 415, 422])
      expect(statuses).toContain(status);
    expect(findings.slice(0, 10)).toEqual([]);
  },
);
