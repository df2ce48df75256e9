// A webinar with its rules, subscriptions and attendees, and the webhooks that they cause.
import { expect } from 'vitest';
import type { TestAccount, TestApi } from '../support/api.ts';
import { createAttendee } from '../support/attendee.ts';
import type { Received } from '../support/receiver.ts';
import { createWorld, type RoomClock, type World } from '../support/world.ts';
import { createFork } from '../webinars/adaptive-world.ts';
import { readSent, textOf, type Guest, type Sent, type ExpectedBody } from './sent.ts';

/** The parts of the world that a webinar needs. */
export interface WebinarContext {
  service: TestApi;
  clock: RoomClock;
  /** A new URL of the receiver. */
  newUrl(): string;
  /** Waits until no delivery is waiting. Returns the requests to a URL in the order in which they were queued. */
  received(url: string): Promise<Received[]>;
}

export interface WebinarOptions {
  workspace: TestAccount & { key: string };
  /** Fields of the webinar. */
  fields?: object;
  /** False for a draft, which accepts segments. */
  publish?: boolean;
}

/** A rule or a subscription. */
export interface Hook {
  id: string;
  /** Below the webinar: `/automations/{id}`. */
  path: string;
  url: string;
  secret: string;
}

export interface TestWebinar extends Pick<World, 'call' | 'interaction'> {
  id: string;
  /** The start of its scheduled session. */
  sessionTime: string;
  /** Posts to a path below the webinar, such as `/segments`. Returns the created object. */
  // oxlint-disable-next-line typescript/no-explicit-any -- any answer
  create(path: string, body?: object): Promise<any>;
  /** Creates segments and branches of an adaptive draft; see createFork. */
  fork(): Promise<Record<string, string>>;
  /** Registers an attendee over REST. `fields` are merged into the body. */
  attend(name?: string, fields?: object): Promise<Guest>;
  rule(type: string, params?: object, fields?: object): Promise<Hook>;
  subscribe(eventTypes: readonly string[], fields?: object): Promise<Hook>;
  /** The executions of all rules or of one, oldest first. */
  executions(hook?: Hook): Promise<Execution[]>;
  /** The outcomes of a rule, oldest first: `matched` or the skip reason. */
  outcomes(hook: Hook): Promise<string[]>;
  sent(hook: Hook): Promise<Sent[]>;
  /** The event types of the received webhooks, in order. */
  typesSent(hook: Hook): Promise<string[]>;
  /** Expects exactly these bodies, byte for byte: the same fields in the same order. */
  expectSent(hook: Hook, ...expected: ExpectedBody[]): Promise<void>;
  /** Moves the clock to just after the start of the scheduled session. */
  start(): void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- any answer
export type Execution = any;

const minuteMs = 60_000;

export async function createTestWebinar(
  context: WebinarContext,
  { workspace, publish = true, fields = {} }: WebinarOptions,
): Promise<TestWebinar> {
  const { service, clock } = context;
  clock.setTo(new Date());
  const sessionTime = new Date(Math.ceil(clock.now().getTime() / minuteMs + 10) * minuteMs).toISOString();
  const given = { publicTitle: 'What attendees see', ...fields };
  const world = await createWorld({ beside: context, workspace, sessionTime, publish, webinar: given });
  const { call, create, interaction } = world;
  const { id } = world.webinar;

  const webinar: TestWebinar = {
    id,
    sessionTime,
    call,
    create,
    interaction,
    fork: () => createFork({ ...world, webinarId: id }),
    async attend(name = 'Ada', fields = {}) {
      const person = { name, email: `${name.toLowerCase()}@example.com`, utm: {}, ...fields };
      const made = await webinar.create('/registrations', { sessionTime, ...person });
      // An on-demand session starts at the real time of the registration.
      clock.setTo(new Date());
      const { json } = await call(`GET /sessions/${made.sessionId}`);
      const { id, startsAt, kind } = json.data;
      const session = { id, starts_at: startsAt, kind };
      return { ...createAttendee(service, made, clock), ...person, session };
    },
    async rule(type, params = {}, fields = {}) {
      const url = context.newUrl();
      const made = await world.rule(url, { name: type, trigger: { type, params }, ...fields });
      return { ...made, path: `/automations/${made.id}`, url };
    },
    async subscribe(eventTypes, fields = {}) {
      const url = context.newUrl();
      const made = await world.subscribe(url, { eventTypes, ...fields });
      return { ...made, path: `/webhooks/${made.id}`, url };
    },
    async executions(of) {
      const found: Execution[] = [];
      for (let cursor = ''; ;) {
        const route = `GET ${of?.path ?? ''}/executions?limit=100${cursor && `&cursor=${cursor}`}`;
        const { status, json, text } = await call(route);
        if (status !== 200) throw new Error(`${status} ${text}`);
        found.push(...json.data);
        if (!json.pagination.hasMore) return found.toReversed();
        cursor = encodeURIComponent(json.pagination.nextCursor);
      }
    },
    outcomes: async (hook) =>
      (await webinar.executions(hook)).map(({ skipReason, outcome }) => skipReason ?? outcome),
    sent: async ({ url, secret }) => (await context.received(url)).map((one) => readSent(one, secret)),
    typesSent: async (hook) => (await webinar.sent(hook)).map(({ body }) => body.event_type),
    async expectSent(hook, ...expected) {
      const sent = await webinar.sent(hook);
      const texts = expected.map((one, index) => textOf(one, id, sent[index]?.body.timestamp));
      expect(sent.map(({ text }) => text)).toEqual(texts);
    },
    start: () => world.startSession(),
  };
  return webinar;
}
