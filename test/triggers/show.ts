// A webinar with its rules and subscriptions, those who come to it, and what is sent of them.
import { expect } from 'vitest';
import { callRest, scheduleAt, type TestApi } from '../support/api.ts';
import { createAttendee } from '../support/attendee.ts';
import type { Received } from '../support/receiver.ts';
import type { RoomClock } from '../support/world.ts';
import { createFork } from '../webinars/adaptive-world.ts';
import { readSent, textOf, type Guest, type Sent, type Told } from './sent.ts';

/** Where shows take place. */
export interface Stage {
  service: TestApi;
  clock: RoomClock;
  /** A URL of the receiver that nobody else has. */
  newUrl(): string;
  /** What came there once nothing waits to be delivered, in the order in which it was queued. */
  received(url: string): Promise<Received[]>;
}

export interface ShowOptions {
  /** Of its workspace. */
  key: string;
  /** Fields of the webinar. */
  webinar?: object;
  /** A draft can still be given segments. */
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

export interface Show {
  id: string;
  /** Of its scheduled session. */
  sessionTime: string;
  /** A call with its workspace's key, below the webinar: `POST ./publish`. */
  rest(route: string, body?: unknown): ReturnType<typeof callRest>;
  /** What a POST to a path below the webinar makes: `/segments`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the answer holds
  create(path: string, body?: object): Promise<any>;
  /** Makes segments and branches of an adaptive draft; see createFork. */
  fork(): Promise<Record<string, string>>;
  /** Makes an interaction; its id. */
  interaction(fields: object): Promise<string>;
  /** Registers somebody over REST; `fields` replace or add to the body. */
  attend(name?: string, fields?: object): Promise<Guest>;
  rule(type: string, params?: object, fields?: object): Promise<Hook>;
  subscribe(eventTypes: readonly string[], fields?: object): Promise<Hook>;
  /** What its rules made of events, or one of them did, oldest first. */
  executions(hook?: Hook): Promise<Execution[]>;
  /** What became of a rule each time it looked, oldest first: `matched`, or why not. */
  outcomes(hook: Hook): Promise<string[]>;
  sent(hook: Hook): Promise<Sent[]>;
  /** The event types that were sent, in order. */
  typesSent(hook: Hook): Promise<string[]>;
  /** That a hook was sent exactly this, byte for byte: no other field and no other order. */
  expectSent(hook: Hook, ...told: Told[]): Promise<void>;
  /** Moves the clock to just after the start of the scheduled session. */
  start(): void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- as the answer holds it
export type Execution = any;

const minuteMs = 60_000;

export async function createShow(
  stage: Stage,
  { key, publish = true, webinar = {} }: ShowOptions,
): Promise<Show> {
  const { service, clock } = stage;
  clock.setTo(new Date());
  const sessionTime = new Date(Math.ceil(clock.now().getTime() / minuteMs + 10) * minuteMs).toISOString();
  const body = { ...webinarDefaults, schedule: scheduleAt(sessionTime), ...webinar };
  const { id } = await dataOf(callRest(service, 'POST /webinars', { key, body }));
  const hook = (path: string, url: string, made: { id: string; secret: string }): Hook => ({
    id: made.id,
    path: `${path}/${made.id}`,
    url,
    secret: made.secret,
  });

  const show: Show = {
    id,
    sessionTime,
    rest: (route, body) => callRest(service, route.replace(' .', ` /webinars/${id}`), { key, body }),
    create: (path, body) => dataOf(show.rest(`POST .${path}`, body)),
    fork: () => createFork({ accountId: '', key, webinarId: id, create: show.create, call: show.rest }),
    interaction: async (fields) =>
      (await show.create('/interactions', { ...interactionDefaults, ...fields })).id,
    async attend(name = 'Ada', fields = {}) {
      const person = { name, email: `${name.toLowerCase()}@example.com`, utm: {}, ...fields };
      const made = await show.create('/registrations', { sessionTime, ...person });
      // On demand, the session has started by the real time.
      clock.setTo(new Date());
      return { ...createAttendee(service, made, clock), ...person };
    },
    async rule(type, params = {}, fields = {}) {
      const url = stage.newUrl();
      const rule = { name: type, trigger: { type, params }, action: { type: 'webhook', url }, ...fields };
      return hook('/automations', url, await show.create('/automations', rule));
    },
    async subscribe(eventTypes, fields = {}) {
      const url = stage.newUrl();
      return hook('/webhooks', url, await show.create('/webhooks', { url, eventTypes, ...fields }));
    },
    async executions(of) {
      const found: Execution[] = [];
      for (let cursor = ''; ;) {
        const route = `GET .${of?.path ?? ''}/executions?limit=100${cursor && `&cursor=${cursor}`}`;
        const { status, json, text } = await show.rest(route);
        if (status !== 200) throw new Error(`${status} ${text}`);
        found.push(...json.data);
        if (!json.pagination.hasMore) return found.toReversed();
        cursor = encodeURIComponent(json.pagination.nextCursor);
      }
    },
    outcomes: async (hook) =>
      (await show.executions(hook)).map(({ skipReason, outcome }) => skipReason ?? outcome),
    sent: async ({ url, secret }) => (await stage.received(url)).map((one) => readSent(one, secret)),
    typesSent: async (hook) => (await show.sent(hook)).map(({ body }) => body.event_type),
    async expectSent(hook, ...told) {
      const sent = await show.sent(hook);
      const texts = told.map((one, index) => textOf(one, id, sent[index]?.body.timestamp));
      expect(sent.map(({ text }) => text)).toEqual(texts);
    },
    start: () => clock.setTo(new Date(Date.parse(sessionTime) + 1000)),
  };
  if (publish) await show.create('/publish');
  return show;
}

const webinarDefaults = { title: 'Launch', publicTitle: 'What attendees see', durationSeconds: 600 };

const interactionDefaults = { internalName: 'Internal', headline: 'Headline', showAtSeconds: 0 };

/** The data of a REST answer that must not be a refusal. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever the answer holds
async function dataOf(call: ReturnType<typeof callRest>): Promise<any> {
  const { status, json, text } = await call;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return json.data;
}
