import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { signInMember } from '../support/member.ts';

/** The driver's own fields about the queries of a client; a pipelining client may be sent several. */
interface ClientState {
  pipeline: boolean;
  _activeQuery: unknown;
  _queryQueue: unknown[];
}

const { query } = Client.prototype;
afterEach(() => {
  Client.prototype.query = query;
});

/** Records each query that is sent to a client which is still at another and does not pipeline. */
function recordBusyQueries(): { busy: string[]; sent: () => number } {
  const busy: string[] = [];
  let sent = 0;
  Client.prototype.query = function record(this: Client & ClientState, ...values: unknown[]) {
    sent += 1;
    const isBusy = Boolean(this._activeQuery) || this._queryQueue.length > 0;
    if (isBusy && !this.pipeline) busy.push(new Error(JSON.stringify(values[0])).stack!);
    return Reflect.apply(query, this, values);
  } as typeof query;
  return { busy, sent: () => sent };
}

test('no query is sent to a busy client, unless it pipelines', async () => {
  const recorded = recordBusyQueries();
  {
    await using service = await testApi();
    const world = await createTestWorld(service);
    const { key, webinar } = world;
    const member = await signInMember(service, world);
    const headers = { 'Idempotency-Key': 'once' };
    const body = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
    const route = `POST /webinars/${webinar.id}/registrations`;
    const answers = await Promise.all([
      callRest(service, route, { key, body, headers }),
      callRest(service, 'GET /webinars', { key }),
      callRest(service, `GET /webinars/${webinar.id}`, { key }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
    const batch = await member.call(['webinars.list', 'accounts.members.list', 'keys.list']);
    expect(batch.status).toBe(200);
    const token = (answers[0].json.data.joinUrl as string).split('/').at(-1)!;
    const visit = await fetch(`${service.baseUrl}/room/${token}/visits`, { method: 'POST' });
    expect(visit.status).toBeLessThan(500);
  }
  expect(recorded.sent()).toBeGreaterThan(10);
  expect(recorded.busy).toEqual([]);
});
