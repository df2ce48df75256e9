// The calls of one page. Each answer with `serverNow` sets the clock.
import type { SentCall } from '../page/begin.ts';
import type { NumberedBeat, SendOutcome } from './heartbeat-queue.ts';
import {
  RoomFailure,
  type HeartbeatOutput,
  type PathState,
  type PollResults,
  type VisitOutput,
} from './protocol.ts';
import type { ServerClock } from '../page/server-clock.ts';

export interface RoomClient {
  enter(): Promise<VisitOutput>;
  beat(beat: NumberedBeat): Promise<SendOutcome>;
  /** By a beacon, which the browser sends even after the page is closed. */
  leave(beat: NumberedBeat): void;
  view(interactionId: string): Promise<void>;
  answer(interactionId: string, optionId: string): Promise<PollResults | null>;
  say(text: string, replyTo: string | undefined): Promise<{ id: string; sentAt: string }>;
  takeBranch(branchId: string, visitId: string | undefined): Promise<PathState>;
  /** The address of the feed. */
  eventsUrl: string;
}

const timeoutMs = 10_000;

export function createRoomClient(baseUrl: string, clock: ServerClock): RoomClient {
  const read = async <Answer>(sending: Promise<SentCall>): Promise<Answer> => {
    const { sentMs, answeredMs, ...call } = await sending.catch(() => Promise.reject(noAnswer()));
    const answer = readAnswer(call) as Answer & { serverNow?: string };
    const serverNow = answer?.serverNow;
    if (serverNow !== undefined) clock.note({ sentMs, answeredMs, serverNow });
    return answer;
  };
  const post = <Answer>(path: string, body: object): Promise<Answer> =>
    read(send(`${baseUrl}/${path}`, body));

  return {
    enter() {
      const early = globalThis.earlyVisit;
      globalThis.earlyVisit = undefined;
      return early ? read(early) : post('visits', {});
    },
    async beat(beat) {
      try {
        return { type: 'answered', answer: await post<HeartbeatOutput>('heartbeats', beat) };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    leave(beat) {
      // text/plain, because JSON would need a preflight request, which a closing page does not get.
      const body = new Blob([JSON.stringify(beat)], { type: 'text/plain' });
      navigator.sendBeacon(`${baseUrl}/leave`, body);
    },
    async view(interactionId) {
      await post(`interactions/${interactionId}/views`, {});
    },
    async answer(interactionId, optionId) {
      const path = `interactions/${interactionId}/answers`;
      const { results } = await post<{ results: PollResults | null }>(path, { optionId });
      return results;
    },
    say: (text, replyTo) => post('messages', { text, ...(replyTo !== undefined && { replyTo }) }),
    takeBranch: (branchId, visitId) => post(`branches/${branchId}`, { visitId }),
    eventsUrl: `${baseUrl}/events`,
  };
}

async function send(url: string, body: object): Promise<SentCall> {
  const sentMs = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answeredMs = performance.now();
  return { response, body: await response.text(), sentMs, answeredMs };
}

function readAnswer({ response, body }: Pick<SentCall, 'response' | 'body'>): unknown {
  const answer = parseJson(body);
  if (!response.ok) throw failureOf(response, answer);
  // The sign-in page of a Wi-Fi network answers 200 for the service.
  if (answer === undefined && response.status !== 204) throw noAnswer();
  return answer;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const noAnswer = (): RoomFailure => new RoomFailure({ code: 'network', status: 0, message: 'No answer.' });

function failureOf(response: Response, answer: unknown): RoomFailure {
  const { code, message } = (answer ?? {}) as Partial<RoomFailure>;
  const retryAfter = Number(response.headers.get('retry-after'));
  return new RoomFailure({
    code: code ?? 'unknown',
    status: response.status,
    message: message ?? response.statusText,
    retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : undefined,
  });
}

function outcomeOf(error: unknown): SendOutcome {
  if (!(error instanceof RoomFailure)) throw error;
  if (error.isPassing) return { type: 'unreachable', retryAfterMs: error.retryAfterMs };
  return { type: error.code === 'visit_not_found' || error.status === 410 ? 'lost' : 'refused' };
}
