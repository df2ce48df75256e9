// A session that is live, with people in it who speak the room protocol.
import { request, type Agent } from 'undici';
import type { Call } from './world.ts';

export interface LiveRoom {
  webinarId: string;
  sessionId: string;
  sessionTime: string;
  /** An offer that can be clicked. */
  interactionId: string;
  attendees: RoomAttendee[];
}

export interface RoomAttendee {
  registrationId: string;
  /** The token of the join link. */
  join: string;
}

export interface RoomCall {
  origin: string;
  agent: Agent;
  /** Below `/room/`: `{join}/visits`. */
  path: string;
  body: unknown;
}

interface RoomAnswer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- each caller knows what it asked for
  answer: any;
}

interface Made {
  id: string;
}

const aheadMs = 60_000;
const bulkMax = 500;

/** A webinar of an hour whose session a call has just started, and so many registered attendees. */
export async function openLiveRoom(call: Call, attendeeCount: number): Promise<LiveRoom> {
  const { id: webinarId } = await call<Made>('POST /webinars', { title: 'Live', durationSeconds: 3600 });
  const path = `/webinars/${webinarId}`;
  const startsAt = new Date(Date.now() + aheadMs).toISOString();
  const session = await call<Made & { startsAt: string }>(`POST ${path}/sessions`, {
    startsAt,
    control: 'api',
  });
  const { id: interactionId } = await call<Made>(`POST ${path}/interactions`, {
    type: 'offer',
    internalName: 'Offer',
    headline: 'Offer',
    showAtSeconds: 0,
    url: 'https://example.com/checkout',
    buttonLabel: 'Buy',
  });
  await call(`POST ${path}/publish`);
  const attendees: RoomAttendee[] = [];
  while (attendees.length < attendeeCount) {
    const rows = Math.min(bulkMax, attendeeCount - attendees.length);
    const registrations = Array.from({ length: rows }, (_, row) => ({
      name: 'Ada',
      email: `ada-${attendees.length + row}@example.com`,
      sessionTime: session.startsAt,
    }));
    const results = await call<{ registration: { id: string; joinUrl: string } }[]>(
      `POST ${path}/registrations/bulk`,
      { registrations },
    );
    attendees.push(
      ...results.map(({ registration: { id, joinUrl } }) => ({
        registrationId: id,
        join: joinUrl.split('/').at(-1)!,
      })),
    );
  }
  await call(`POST ${path}/sessions/${session.id}/progress`, { action: 'start' });
  return { webinarId, sessionId: session.id, sessionTime: session.startsAt, interactionId, attendees };
}

/** One call of the room protocol; the status and the parsed answer. Throws when there is none. */
export async function callRoom({ origin, agent, path, body }: RoomCall): Promise<RoomAnswer> {
  const response = await request(`${origin}/room/${path}`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  return { status: response.statusCode, answer: text === '' ? undefined : JSON.parse(text) };
}
