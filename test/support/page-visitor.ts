// A visitor of registration pages, at an address of their own.
import type { WebinarPage } from '@service/attendees';
import { testApi, type TestApi } from './api.ts';
import { createWorld, type RoomClock, type World } from './world.ts';

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each call has its own data
  json: any;
}

export interface Visitor {
  /** A request below `/w`, JSON unless `accept` says otherwise. */
  ask(path: string, options?: { accept?: string; method?: string; body?: unknown }): Promise<Answer>;
  /** The data of a page. Throws when it is refused. */
  read(slug: string): Promise<WebinarPage>;
  /** Reads the page, fills in the form for three seconds, and sends it. `fields` replace or extend the body. */
  register(slug: string, fields?: object): Promise<Answer>;
}

export interface PageWorld extends AsyncDisposable {
  service: TestApi;
  clock: RoomClock;
  /** A workspace with a published webinar, and the slug of that. */
  workspace(webinar?: object): Promise<World & { slug: string }>;
  /** A visitor at an address that no other visitor has. */
  visitor(): Visitor;
}

/** A service behind a proxy, which names the addresses of visitors. */
export async function createPageWorld(): Promise<PageWorld> {
  let atMs = Date.now();
  const clock: RoomClock = {
    now: () => new Date(atMs),
    advance: (seconds) => void (atMs += seconds * 1000),
    setTo: (time) => void (atMs = Math.max(atMs, new Date(time).getTime())),
  };
  const service = await testApi({ now: clock.now, options: { trustedProxies: ['loopback'] } });
  let visitors = 0;
  return {
    service,
    clock,
    async workspace(webinar = {}) {
      const world = await createWorld({ beside: { service, clock }, webinar });
      return Object.assign(world, { slug: (await world.get('')).slug as string });
    },
    visitor() {
      visitors += 1;
      return createVisitor(service, clock, `198.18.${visitors >> 8}.${visitors & 255}`);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

function createVisitor({ baseUrl }: TestApi, clock: RoomClock, address: string): Visitor {
  const ask: Visitor['ask'] = async (path, { accept = 'application/json', method = 'GET', body } = {}) => {
    const response = await fetch(`${baseUrl}/w/${path}`, {
      method,
      redirect: 'manual',
      headers: {
        Accept: accept,
        'X-Forwarded-For': address,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  const read: Visitor['read'] = async (slug) => {
    const { status, text, json } = await ask(slug);
    if (status !== 200) throw new Error(`${status} ${text}`);
    return json.data;
  };
  return {
    ask,
    read,
    async register(slug, fields = {}) {
      const { slots, formToken } = await read(slug);
      clock.advance(3);
      const body = { name: 'Ada', email: 'ada@example.com', sessionTime: slots[0]?.startsAt, formToken };
      return ask(`${slug}/registrations`, { method: 'POST', body: { ...body, ...fields } });
    },
  };
}
