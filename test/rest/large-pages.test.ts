// A page of a list ends before its limit when its rows are large. Its cursor then leads to the others, each once and in order.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, ruleTo, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ publish: false, webinar: { kind: 'adaptive' } });
});
afterAll(() => world[Symbol.asyncDispose]());

/** Conditions of 9,800 characters. */
const conditions = Array.from({ length: 20 }, (_, index) => ({
  field: 'chatMessage',
  operator: 'contains',
  value: String.fromCodePoint(97 + index).repeat(490),
}));
const count = 15;

/** All rows of a list, page by page, and the bytes of each page. */
async function readAll(path: string): Promise<{ ids: string[]; bytes: number[] }> {
  const ids: string[] = [];
  const bytes: number[] = [];
  let cursor = '';
  do {
    const { json, text } = await world.rest(`GET ${path}?limit=100${cursor}`);
    ids.push(...json.data.map(({ id }: { id: string }) => id));
    bytes.push(text.length);
    cursor = json.pagination.hasMore ? `&cursor=${json.pagination.nextCursor}` : '';
  } while (cursor !== '');
  return { ids, bytes };
}

const below = (path: string) => `/webinars/${world.webinar.id}${path}`;

const makers: Record<string, () => Promise<string>> = {
  async '/branches'() {
    const { id } = await world.create('/segments', { title: 'Intro', durationSeconds: 60 });
    for (let made = 0; made < count; made += 1)
      await world.create('/branches', {
        fromSegmentId: id,
        toSegmentId: id,
        label: 'On',
        via: 'condition',
        conditions,
      });
    return below('/branches');
  },
  async '/interactions'() {
    for (let made = 0; made < count; made += 1)
      await world.interaction({
        type: 'cta',
        url: 'https://example.com',
        buttonLabel: 'Go',
        body: 'x'.repeat(5000),
        showWhen: conditions.slice(0, 10),
      });
    return below('/interactions');
  },
  async '/automations'() {
    for (let made = 0; made < count; made += 1)
      await world.create('/automations', { ...ruleTo('http://localhost:9'), conditions });
    return below('/automations');
  },
  async '/executions'() {
    await world.service.db.database.pool.query(
      `insert into automations.execution
         (account_id, id, webinar_id, rule_id, registration_id, session_id, event_id, event_type, outcome, rule_name, condition_results)
       select $1, uuidv7(), $2, $2, $2, $2, $2, 'joined', 'matched', 'Mine',
         jsonb_build_array(jsonb_build_object('field', 'name', 'operator', 'eq', 'passed', true, 'expected', repeat('x', 20000), 'actual', null))
       from generate_series(1, ${count})`,
      [world.accountId, world.webinar.id],
    );
    return below('/executions');
  },
  async 'the webinars'() {
    const options = Array.from({ length: 50 }, (_, index) => `${index} ${'x'.repeat(190)}`);
    const fields = Array.from({ length: 10 }, (_, index) => ({
      key: `field${index}`,
      label: 'Label',
      type: 'select',
      options,
    }));
    for (let made = 0; made < 3; made += 1)
      expect(
        (await world.rest('POST /webinars', { title: 'Large', registrationForm: { fields } })).status,
      ).toBe(201);
    return '/webinars';
  },
};

test.for(Object.keys(makers))('%s have several pages when their rows are large', async (list) => {
  const path = await makers[list]!();
  const { ids, bytes } = await readAll(path);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted().toReversed());
  expect(ids.length).toBe(list === 'the webinars' ? 4 : count);
  expect(bytes.length).toBeGreaterThan(1);
  expect(Math.max(...bytes)).toBeLessThan(160_000);
});
