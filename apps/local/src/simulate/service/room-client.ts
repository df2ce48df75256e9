// The room protocol, as the page of an attendee uses it.
import { setTimeout as wait } from 'node:timers/promises';
import type { Outcome } from '../attendee/action-log.ts';
import {
  describeFailure,
  mayBeSent,
  retryAfterMs,
  type Http,
  type HttpAnswer,
  type HttpCall,
} from './http.ts';
import type { Interval } from '../attendee/player.ts';

export interface Heartbeat {
  visitId: string;
  seq: number;
  playheadSeconds: number;
  intervals: readonly Interval[];
  state: 'playing' | 'paused' | 'ended';
  visible: boolean;
}

export interface Visit {
  visitId: string;
  session: { status: string };
  interactions: { id: string; showAtSeconds: number; clickUrl?: string }[];
}

/** The target of a click, with its click id. */
export interface Redirect {
  redirectUrl: string;
}

/** The result of a call, with the times of request and answer. */
export interface Called<Body> {
  outcome: Outcome;
  /** The body of an answer that is not an error. */
  body: Body | undefined;
  sentMs: number;
  answeredMs: number;
}

export type Room = ReturnType<typeof createRoom>;

const triesMax = 5;

export function createRoom(http: Http) {
  const refusals = new Map<string, number>();
  let pending = 0;
  const refuse = (what: string): void => void refusals.set(what, (refusals.get(what) ?? 0) + 1);

  async function call<Body>(request: HttpCall, isRepeatable = false): Promise<Called<Body>> {
    pending += 1;
    const called = await callPatiently<Body>(request, isRepeatable);
    pending -= 1;
    return called;
  }

  /** Retries a call that had no effect. A call with an unknown result is retried only if it is idempotent. */
  async function callPatiently<Body>(request: HttpCall, isRepeatable: boolean): Promise<Called<Body>> {
    const sentMs = performance.now();
    const called = (outcome: Outcome, body?: unknown): Called<Body> => ({
      outcome,
      body: body as Body | undefined,
      sentMs,
      answeredMs: performance.now(),
    });
    for (let tries = 1; ; tries += 1) {
      const answer = await http.tryCall(request);
      const status = 'status' in answer ? answer.status : undefined;
      if ('status' in answer && answer.status < 400) return called('done', answer.json ?? redirectOf(answer));
      refuse(`${request.name} ${describeFailure(answer)}`);
      const isUnknown = mayBeSent(answer) && (status === undefined || status >= 500);
      const isPostponed = !mayBeSent(answer) || status === 429;
      if (tries === triesMax || !(isPostponed || (isUnknown && isRepeatable)))
        return called(isUnknown ? 'unknown' : 'refused');
      http.noteRetry(request.name, answer);
      await wait(retryAfterMs(answer));
    }
  }

  const post = (name: string, path: string, body: unknown, type = 'application/json'): HttpCall => ({
    name,
    method: 'POST',
    path: `/room/${path}`,
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  });

  return {
    enter: (join: string) => call<Visit>(post('visit', `${join}/visits`, {}), true),
    beat: (join: string, beat: Heartbeat) =>
      call<{ status: string }>(post('heartbeat', `${join}/heartbeats`, beat), true),
    /** Sends the leave beacon as a browser does. */
    leave: (join: string, beat: Heartbeat) =>
      call<unknown>(post('leave', `${join}/leave`, beat, 'text/plain;charset=UTF-8')),
    view: (join: string, id: string) =>
      call<unknown>(post('view', `${join}/interactions/${id}/views`, {}), true),
    click: (join: string, id: string) =>
      call<Redirect>(post('click', `${join}/interactions/${id}/clicks`, {})),
    /** Opens a click link, without following the redirect. */
    follow: (clickUrl: string) =>
      call<Redirect>({ name: 'link', method: 'GET', path: new URL(clickUrl).pathname }),
    answer: (join: string, id: string, optionId: string) =>
      call<unknown>(post('answer', `${join}/interactions/${id}/answers`, { optionId })),
    sendMessage: (join: string, text: string) =>
      call<{ id: string }>(post('message', `${join}/messages`, { text })),
    /** Counts of refused calls, by `heartbeat 429 room_busy`, `heartbeat time-out`, `no answer` or `no connection`. */
    refusals: refusals as ReadonlyMap<string, number>,
    /** Number of calls without an answer yet. */
    pending: () => pending,
  };
}

/** A click link is answered with a redirect instead of a body. */
const redirectOf = ({ headers }: HttpAnswer): Redirect | undefined =>
  typeof headers['location'] === 'string' ? { redirectUrl: headers['location'] } : undefined;
