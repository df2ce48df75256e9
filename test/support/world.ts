// The world of a test, which nests like the product: service, workspace with its owner and key, webinar, then attendees,
// rules and subscriptions. Everything is made over REST.
import {
  callRest,
  createTestAccount,
  createTestKey,
  inMinutes,
  scheduleAt,
  testApi,
  type TestAccount,
  type TestApi,
  type TestApiOptions,
} from './api.ts';
import type { Quota } from '@service/deliveries';
import { eventually } from './eventually.ts';
import { createAttendee, type Attendee, type Registered } from './attendee.ts';

/** The time in rooms: of `createWorld` it stands still until a test moves it. Everything else has the real time. */
export interface RoomClock {
  now: () => Date;
  advance(seconds: number): void;
  /** Never back. */
  setTo(time: Date | string): void;
}

type Answer = ReturnType<typeof callRest>;

export interface World extends TestAccount, AsyncDisposable {
  service: TestApi;
  /** Of an API key with full access. */
  key: string;
  clock: RoomClock;
  /** `sessionTime` is the start of its next session. */
  webinar: { id: string; sessionTime: string };
  /** A REST call with the key: `GET /me`. */
  rest(route: string, body?: unknown): Answer;
  /** The same below the webinar: `POST /publish`. */
  call(route: string, body?: unknown): Answer;
  /** The data of a GET below the webinar. Throws when it is refused. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each call has its own data
  get(path: string): Promise<any>;
  /** The record that a POST below the webinar makes. Throws when it is refused. */
  create<Made = Record<string, string>>(path: string, body?: object): Promise<Made>;
  publish(): Promise<void>;
  /** Makes an interaction; its id. */
  interaction(fields: object): Promise<string>;
  /** Registers a person; the registration's id. */
  register(email?: string, fields?: object): Promise<string>;
  /** Registers a person who can then call the room. */
  attend(email?: string, fields?: object): Promise<Attendee>;
  /** Makes a rule that sends each registration to `url`; `fields` replace or add to its body. */
  rule(url: string, fields?: object): Promise<Hook>;
  /** Makes a subscription that sends each registration to `url`. */
  subscribe(url: string, fields?: object): Promise<Hook>;
  /** Waits until the newest delivery at this path below the webinar has a status; returns it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test reads other fields of it
  untilNewest(deliveriesPath: string, status: string): Promise<any>;
  /** Moves the clock to just after the start of the session. */
  startSession(): void;
  /** Another API on the same database. */
  another(): Promise<TestApi>;
  /** A world of another account at the same service and clock. */
  neighbour(): Promise<World>;
}

interface Published {
  nextSession: { startsAt: string } | null;
}

/** A rule or a subscription. */
export interface Hook {
  id: string;
  secret: string;
  createdAt: string;
}

interface WorldOptions {
  /** Fields of the webinar. */
  webinar?: object;
  /** The start of its session; in ten minutes by default. */
  sessionTime?: string;
  /** A draft can still be given segments. */
  publish?: boolean;
  /** The world whose service and clock it shares; it has its own by default. */
  beside?: { service: TestApi; clock?: RoomClock };
  /** The clock of its own service. */
  clock?: RoomClock;
  /** The workspace that it shares; it has its own by default. */
  workspace?: TestAccount & { key: string };
  /** The longest that a call of an attendee waits for locked rows. */
  roomWaitMaxMs?: number;
  connections?: TestApiOptions['connections'];
  /** The limits of an account for its deliveries. */
  deliveryQuota?: Quota;
}

export async function createWorld({
  webinar = {},
  sessionTime = inMinutes(10),
  publish = true,
  beside,
  clock = beside?.clock ?? createClock(),
  workspace,
  roomWaitMaxMs,
  connections,
  deliveryQuota,
}: WorldOptions = {}): Promise<World> {
  const service =
    beside?.service ??
    (await testApi({ now: clock.now, roomWaitMaxMs, connections, options: { deliveryQuota } }));
  const { key, ...account } = workspace ?? (await createWorkspace(service));
  const rest: World['rest'] = (route, body) => callRest(service, route, { key, body });
  const schedule = scheduleAt(sessionTime);
  const body = { title: 'Launch', durationSeconds: 600, schedule, ...webinar };
  const { id } = await dataOf(rest('POST /webinars', body));
  const registerWith = (email: string, fields: object) =>
    world.create<Registered>('/registrations', { name: email.split('@')[0], email, sessionTime, ...fields });

  const world: World = {
    ...account,
    service,
    key,
    clock,
    webinar: { id, sessionTime },
    rest,
    call: (route, body) => rest(route.replace(' ', ` /webinars/${id}`), body),
    get: (path) => dataOf(world.call(`GET ${path}`)),
    create: (path, body) => dataOf(world.call(`POST ${path}`, body)),
    async publish() {
      const { nextSession } = await world.create<Published>('/publish');
      world.webinar.sessionTime = nextSession?.startsAt ?? sessionTime;
    },
    interaction: async (fields) =>
      (await world.create('/interactions', { ...interactionDefaults, ...fields }))['id']!,
    register: async (email = 'ada@example.com', fields = {}) => (await registerWith(email, fields)).id,
    attend: async (email = 'ada@example.com', fields = {}) =>
      createAttendee(service, await registerWith(email, fields), clock),
    rule: (url, fields) => world.create('/automations', { ...ruleTo(url), ...fields }),
    subscribe: (url, fields) => world.create('/webhooks', { url, eventTypes: ['registered'], ...fields }),
    untilNewest: (path, status) =>
      eventually(`the newest delivery to be ${status}`, async () => {
        const [newest] = (await world.call(`GET ${path}?limit=1`)).json.data;
        return newest?.status === status && newest;
      }),
    startSession: () => clock.setTo(new Date(Date.parse(sessionTime) + 1000)),
    another: () => testApi({ shared: service.db, now: clock.now }),
    // At the same time, also if a minute ends between the two.
    neighbour: () => createWorld({ beside: world, sessionTime }),
    [Symbol.asyncDispose]: async () => void (beside ?? (await service[Symbol.asyncDispose]())),
  };
  if (publish) await world.publish();
  return world;
}

/** The body of a rule that sends every registration to `url`. */
export const ruleTo = (url: string) => ({
  name: 'Mine',
  trigger: { type: 'registered' },
  action: { type: 'webhook', url },
});

const interactionDefaults = { internalName: 'Internal', headline: 'Headline', showAtSeconds: 0 };

async function createWorkspace(service: TestApi): Promise<TestAccount & { key: string }> {
  const account = await createTestAccount(service);
  const { key } = await createTestKey(service, account.accountId);
  return { ...account, key };
}

/** A clock for rooms that runs, `speed` times as fast as the real one, and can be set. */
export function createRunningClock(speed = 1): RoomClock {
  const bornMs = Date.now();
  const runningMs = (): number => bornMs + (Date.now() - bornMs) * speed;
  let aheadMs = 0;
  return {
    now: () => new Date(runningMs() + aheadMs),
    advance: (seconds) => void (aheadMs += seconds * 1000),
    setTo: (time) => void (aheadMs = new Date(time).getTime() - runningMs()),
  };
}

function createClock(): RoomClock {
  let atMs = Date.now();
  return {
    now: () => new Date(atMs),
    advance: (seconds) => void (atMs += seconds * 1000),
    setTo: (time) => void (atMs = Math.max(atMs, new Date(time).getTime())),
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- each call has its own data
async function dataOf(answer: Answer): Promise<any> {
  const { status, json, text } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return json?.data;
}
