// What stories about rooms are made of: a published webinar whose session starts soon, people who come, and a clock that
// stands still until it is told to go on.
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
import { createAttendee, type Attendee } from './attendee.ts';

export interface RoomClock {
  now: () => Date;
  advance(seconds: number): void;
  /** Never back. */
  setTo(time: Date | string): void;
}

export interface RoomWorld extends TestAccount, AsyncDisposable {
  service: TestApi;
  /** Of an API key with full access. */
  key: string;
  clock: RoomClock;
  webinar: { id: string; sessionTime: string };
  /** A REST call with the key: `GET /me`, or `POST ./publish` for a path below the webinar. */
  rest(route: string, body?: unknown): ReturnType<typeof callRest>;
  /** The record that a POST to a path below the webinar makes: `/segments`. */
  create(path: string, body?: object): Promise<Record<string, string>>;
  publish(): Promise<void>;
  /** Makes an interaction of the webinar and gives its id. */
  interaction(fields: object): Promise<string>;
  /** Registers somebody over REST; `fields` replace or add to the body. */
  attend(email?: string, fields?: object): Promise<Attendee>;
  /** Moves the clock to just after the start of the session. */
  startSession(): void;
  /** The same world at another API process's worth of service on its database. */
  another(): Promise<TestApi>;
  /** A world of another account at the same service and clock. */
  neighbour(): Promise<RoomWorld>;
}

interface RoomWorldOptions {
  /** Fields of the webinar, over REST. */
  webinar?: object;
  /** A draft can still be given segments. */
  publish?: boolean;
  /** The world whose service and clock it shares; left out, it has its own. */
  beside?: Pick<RoomWorld, 'service' | 'clock'>;
  /** A call of an attendee waits so long for locked rows. */
  roomWaitMaxMs?: number;
  connections?: TestApiOptions['connections'];
}

export async function createRoomWorld({
  webinar = {},
  publish = true,
  beside,
  roomWaitMaxMs,
  connections,
}: RoomWorldOptions = {}): Promise<RoomWorld> {
  const clock = beside?.clock ?? createClock();
  const service = beside?.service ?? (await testApi({ now: clock.now, roomWaitMaxMs, connections }));
  const account = await createTestAccount(service);
  const { key } = await createTestKey(service, account.accountId);
  const sessionTime = inMinutes(10);
  const made = await callRest(service, 'POST /webinars', {
    key,
    body: { title: 'Launch', durationSeconds: 600, schedule: scheduleAt(sessionTime), ...webinar },
  });
  const { id } = made.json.data as { id: string };
  const world: RoomWorld = {
    ...account,
    service,
    key,
    clock,
    webinar: { id, sessionTime },
    rest: (route, body) => callRest(service, route.replace(' .', ` /webinars/${id}`), { key, body }),
    create: (path, body) => expectOk(world.rest(`POST .${path}`, body)),
    publish: async () => void (await expectOk(world.rest('POST ./publish'))),
    interaction: async (fields) =>
      (await world.create('/interactions', { ...interactionDefaults, ...fields }))['id']!,
    async attend(email = 'ada@example.com', fields = {}) {
      const name = email.split('@')[0]!;
      const body = { name, email, sessionTime, ...fields };
      const { id, sessionId, joinUrl } = await world.create('/registrations', body);
      return createAttendee(service, { id: id!, sessionId: sessionId!, joinUrl: joinUrl! }, clock);
    },
    startSession: () => clock.setTo(new Date(Date.parse(sessionTime) + 1000)),
    another: () => testApi({ shared: service.db, now: clock.now }),
    neighbour: () => createRoomWorld({ beside: world }),
    [Symbol.asyncDispose]: async () => void (beside ?? (await service[Symbol.asyncDispose]())),
  };
  if (publish) await world.publish();
  return world;
}

const interactionDefaults = { internalName: 'Internal', headline: 'Headline', showAtSeconds: 0 };

function createClock(): RoomClock {
  let atMs = Date.now();
  return {
    now: () => new Date(atMs),
    advance: (seconds) => void (atMs += seconds * 1000),
    setTo: (time) => void (atMs = Math.max(atMs, new Date(time).getTime())),
  };
}

async function expectOk(call: ReturnType<typeof callRest>): Promise<Record<string, string>> {
  const { status, json, text } = await call;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return json.data;
}
