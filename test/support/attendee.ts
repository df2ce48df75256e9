// A registered attendee, and the calls of their player.
import type { TestApi } from './api.ts';
import { listenTo, type EventListener } from './event-source.ts';
import type { RoomClock } from './world.ts';

export interface RoomAnswer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test says what it expects
  json: any;
}

interface Beat {
  intervals?: [number, number][];
  playhead?: number;
  state?: 'playing' | 'paused' | 'ended';
  visible?: boolean;
  segmentId?: string;
  interactionsVersion?: string;
}

export interface Attendee {
  registrationId: string;
  sessionId: string;
  /** Of the join link. */
  token: string;
  /** Opens a page; later heartbeats are its. */
  visit(): Promise<RoomAnswer>;
  /** A heartbeat with the next number of the visit. */
  beat(beat?: Beat): Promise<RoomAnswer>;
  /** Plays for so long from the present position: a heartbeat every ten seconds, for which the clock goes on. */
  watch(seconds: number): Promise<RoomAnswer>;
  /** Closes the page, with the media type of a browser's sendBeacon by default. */
  leave(beat?: Beat, mediaType?: string): Promise<RoomAnswer>;
  view(interactionId: string): Promise<RoomAnswer>;
  click(interactionId: string): Promise<RoomAnswer>;
  answer(interactionId: string, optionId: string): Promise<RoomAnswer>;
  say(text: string, replyTo?: string): Promise<RoomAnswer>;
  take(branchId: string): Promise<RoomAnswer>;
  /** Opens a click link, without following its redirect. */
  follow(clickUrl: string, headers?: Record<string, string>): Promise<RoomAnswer>;
  /** The new items of the feed, once. */
  poll(since?: string): Promise<RoomAnswer>;
  /** The new items of the feed, as a stream. */
  listen(lastEventId?: string): Promise<EventListener>;
  /** Any call below their room. */
  call(route: string, init?: RequestInit): Promise<RoomAnswer>;
  /** The same attendee at another process. */
  at(service: Pick<TestApi, 'baseUrl'>): Attendee;
}

/** A registration as REST gives it. */
export interface Registered {
  id: string;
  sessionId: string;
  joinUrl: string;
}

/** The visit of a player and how often it has called. */
interface Page {
  visitId: string;
  seq: number;
  playhead: number;
}

const beatEverySeconds = 10;

export function createAttendee(
  service: Pick<TestApi, 'baseUrl'>,
  registration: Registered,
  clock: RoomClock,
  page: Page = { visitId: '', seq: 0, playhead: 0 },
): Attendee {
  const { baseUrl } = service;
  const token = registration.joinUrl.split('/').at(-1)!;
  const call: Attendee['call'] = async (route, init = {}) => {
    const [method, path] = route.split(' ') as [string, string];
    return toAnswer(await fetch(`${baseUrl}/room/${token}${path}`, { ...init, method }));
  };
  const post = (path: string, body: unknown = {}, type = 'application/json'): Promise<RoomAnswer> =>
    call(`POST ${path}`, { headers: { 'Content-Type': type }, body: JSON.stringify(body) });

  const toBody = ({ intervals = [], playhead, state = 'playing', ...beat }: Beat) => {
    page.playhead = playhead ?? intervals.at(-1)?.[1] ?? page.playhead;
    page.seq += 1;
    return {
      ...beat,
      visitId: page.visitId,
      seq: page.seq,
      playheadSeconds: page.playhead,
      intervals,
      state,
    };
  };

  const attendee: Attendee = {
    registrationId: registration.id,
    sessionId: registration.sessionId,
    token,
    async visit() {
      const answer = await post('/visits');
      if (answer.status === 201)
        Object.assign(page, {
          visitId: answer.json.visitId,
          seq: 0,
          playhead: answer.json.session.positionSeconds,
        });
      return answer;
    },
    async beat(beat = {}) {
      if (page.visitId === '') await attendee.visit();
      return post('/heartbeats', toBody(beat));
    },
    watch: async (seconds) => (await watchTogether(clock, [attendee], seconds))[0]!,
    leave: (beat = {}, mediaType = 'text/plain;charset=UTF-8') => post('/leave', toBody(beat), mediaType),
    view: (id) => post(`/interactions/${id}/views`),
    click: (id) => post(`/interactions/${id}/clicks`),
    answer: (id, optionId) => post(`/interactions/${id}/answers`, { optionId }),
    say: (text, replyTo) => post('/messages', { text, replyTo }),
    take: (branchId) => post(`/branches/${branchId}`, page.visitId === '' ? {} : { visitId: page.visitId }),
    follow: async (clickUrl, headers = {}) =>
      toAnswer(await fetch(baseUrl + new URL(clickUrl).pathname, { headers, redirect: 'manual' })),
    poll: (since) => call(`GET /events${since === undefined ? '' : `?since=${encodeURIComponent(since)}`}`),
    listen: (lastEventId) => listenTo(`${baseUrl}/room/${token}/events`, lastEventId),
    call,
    at: (other) => createAttendee(other, registration, clock, page),
  };
  return attendee;
}

/** Lets attendees play for so long at the same time, each from their position. Returns their last answers. */
export async function watchTogether(
  clock: RoomClock,
  attendees: readonly Attendee[],
  seconds: number,
): Promise<RoomAnswer[]> {
  let answers = await Promise.all(attendees.map((attendee) => attendee.beat()));
  const playheads = answers.map(({ json }): number => json.positionSeconds);
  for (let done = 0; done < seconds; done += beatEverySeconds) {
    const played = Math.min(seconds - done, beatEverySeconds);
    clock.advance(played);
    answers = await Promise.all(
      attendees.map((attendee, index) => {
        const from = playheads[index]! + done;
        return attendee.beat({ intervals: [[from, from + played]] });
      }),
    );
  }
  return answers;
}

async function toAnswer(response: Response): Promise<RoomAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return { status, headers, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
}
