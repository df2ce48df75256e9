// Ways with the largest records that the service accepts.
import { randomUUID } from 'node:crypto';
import type { Account } from '../world.ts';
import { asks, batchOf, pick, withKey, type Way } from './way.ts';

const segments = 50;
const branches = 199;
const ctas = 100;
const blackoutDates = 400;

/** A condition of 490 characters. The conditions of a branch may have 10,000 characters, those of a CTA 5,000. */
const conditionsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    field: 'chatMessage',
    operator: 'contains',
    value: String.fromCodePoint(97 + index).repeat(490),
  }));

/** Makes the largest adaptive webinar; its id. */
export async function createLarge({ call }: Account): Promise<string> {
  const startDate = new Date().toISOString().slice(0, 10);
  const recurrences = Array.from({ length: 50 }, (_, index) => ({
    frequency: 'daily',
    startDate,
    time: `${String(index % 24).padStart(2, '0')}:${String(index).padStart(2, '0')}`,
  }));
  const dates = Array.from({ length: blackoutDates }, (_, day) =>
    new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10),
  );
  const { id } = await call<{ id: string }>('POST /webinars', {
    title: 'Large',
    kind: 'adaptive',
    schedule: { recurrences, blackoutDates: dates },
  });
  const ids: string[] = [];
  for (let made = 0; made < segments; made += 1) {
    const fields = { title: `Segment ${made}`, durationSeconds: 300, isEntry: made === 0 };
    ids.push((await call<{ id: string }>(`POST /webinars/${id}/segments`, fields)).id);
  }
  for (let made = 0; made < branches; made += 1)
    await call(`POST /webinars/${id}/branches`, {
      fromSegmentId: pick(ids, made),
      toSegmentId: pick(ids, made + 1 + Math.floor(made / segments)),
      label: `Branch ${made}`,
      via: 'condition',
      conditions: conditionsOf(20),
    });
  for (let made = 0; made < ctas; made += 1)
    await call(`POST /webinars/${id}/ctas`, {
      internalName: `CTA ${made}`,
      headline: 'Buy',
      showAtSeconds: 0,
      url: 'https://example.com',
      buttonLabel: 'Buy',
      showWhen: conditionsOf(10),
    });
  return id;
}

export const largeWays: Record<string, Way> = {
  duplicate: asks((stage) => ({
    path: `/api/v1/webinars/${stage.largeId}/duplicate`,
    headers: withKey(stage),
    body: {},
  })),
  'large lists': asks((stage, turn) => ({
    path: `/api/v1/webinars/${stage.largeId}/${pick(['branches', 'ctas', 'segments'], turn)}?limit=100`,
    headers: withKey(stage),
  })),
  problems: asks((stage) =>
    batchOf(stage, Array(20).fill('segments.problems'), { webinarId: stage.largeId }),
  ),
  'large batches': asks((stage) =>
    batchOf(stage, Array(20).fill('segments.branches.list'), { webinarId: stage.largeId, limit: 100 }),
  ),
  slots: asks((stage) => ({
    path: `/api/v1/webinars/${stage.largeId}/session-slots?limit=50`,
    headers: withKey(stage),
  })),
  searches: asks((stage, turn) => {
    const words = pick(['zebulon', 'm', 'mallory', 'example.com'], turn);
    const query = `q=${words}&order=asc&limit=100`;
    return { path: `/api/v1/webinars/${stage.flood.id}/registrations?${query}`, headers: withKey(stage) };
  }),
  'large bodies': asks((stage) => ({
    path: `/api/v1/webinars/${stage.flood.id}/registrations/bulk`,
    headers: withKey(stage),
    body: {
      registrations: Array.from({ length: 500 }, () => ({
        name: 'x'.repeat(300),
        email: randomUUID(),
        sessionTime: stage.flood.sessionTime,
        customFields: { note: 'x'.repeat(1500) },
      })),
    },
  })),
  'wrong passwords': asks(({ origins }, turn) => ({
    path: '/api/auth/sign-in/email',
    headers: { origin: pick(origins, turn).replace('127.0.0.1', 'localhost') },
    body: { email: `mallory-${turn}@example.com`, password: 'not the password' },
  })),
};
