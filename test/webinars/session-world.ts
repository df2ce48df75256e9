// A published webinar over REST, and its sessions.
import { expect } from 'vitest';
import { callRest, createTestAccount, createTestKey, type TestApi } from '../support/api.ts';

/** Half a day from now, so that no session starts during a test. */
export const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
export const daily = { frequency: 'daily', time: `${hour}:00`, startDate: '2026-01-01' };

export const codeOf = ({ status, json }: Awaited<ReturnType<typeof callRest>>) => [status, json?.code];

/** A published webinar with a schedule, in a workspace of its own. */
export async function publish(service: TestApi, schedule: object, fields: object = {}) {
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  const body = { title: 'Launch', schedule, ...fields };
  const { id } = (await callRest(service, 'POST /webinars', { key, body })).json.data;
  const published = await callRest(service, `POST /webinars/${id}/publish`, { key });
  expect(published.status).toBe(200);
  return { key, accountId, webinar: { id, sessionTime: published.json.data.nextSession?.startsAt } };
}

export type World = Awaited<ReturnType<typeof publish>>;

export const listSessions = async (service: TestApi, { key, webinar }: World, query = 'limit=100') =>
  (await callRest(service, `GET /webinars/${webinar.id}/sessions?${query}`, { key })).json.data as {
    id: string;
    startsAt: string;
    endsAt: string;
    status: string;
    registrationCount: number;
  }[];
