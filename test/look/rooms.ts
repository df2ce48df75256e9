// The lobby, and a room with chat.
import { inMinutes, scheduleAt, type TestApi } from '../support/api.ts';
import type { LookRows } from './world.ts';

interface RoomsOptions {
  service: TestApi;
  /** A REST call, which throws when it is refused. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each call has its own data
  call: (route: string, body: unknown) => Promise<any>;
  rows: LookRows;
  longName: string;
}

/** A page of chat keeps so many. */
const messagesMax = 200;
/** One attendee may not write all of them. */
const messagesEach = 4;

/** Makes a webinar whose session begins soon and that is on demand. Returns the tokens of two attendees. */
export async function openRooms({
  service,
  call,
  rows,
  longName,
}: RoomsOptions): Promise<Record<string, string>> {
  const { baseUrl } = service;
  const startsAt = inMinutes(10);
  const isFull = rows === 1000;
  const webinar = await call('POST /webinars', {
    title: isFull ? longName : 'How to plan a webinar that people remember',
    description: rows === 0 ? null : 'A short tour of webinars that run at the right time for everybody.',
    durationSeconds: 85,
    schedule: { ...scheduleAt(startsAt), onDemand: true },
    video: {
      source: 'url',
      url: `${baseUrl}/room-assets/demo.webm`,
      captionsUrl: `${baseUrl}/room-assets/demo.vtt`,
    },
    registrationPage: {
      presenters:
        rows === 0
          ? []
          : [{ name: isFull ? longName.slice(0, 100) : 'Mara Lindqvist', title: 'Host', imageUrl: null }],
      takeaways:
        rows === 0
          ? []
          : ['How one recording serves every time zone', isFull ? longName : 'When to show an offer'],
    },
  });
  const at = `/webinars/${webinar.id}`;
  if (rows > 0) for (const fields of interactions) await call(`POST ${at}/interactions`, fields);
  await call(`POST ${at}/publish`, undefined);
  const register = async (index: number, fields: object = {}): Promise<string> => {
    const name = isFull && index % 10 === 7 ? longName : `Ada Lovelace ${index}`;
    const { joinUrl } = await call(`POST ${at}/registrations`, {
      name,
      email: `ada${index}@example.com`,
      ...fields,
    });
    return joinUrl.split('/').at(-1);
  };
  const ids = {
    lobbyJoin: await register(0, { sessionTime: startsAt }),
    roomJoin: await register(0),
  };
  await fillChat(baseUrl, { register, first: ids.roomJoin, messages: Math.min(rows, messagesMax) });
  return ids;
}

interface ChatOptions {
  register: (index: number) => Promise<string>;
  first: string;
  messages: number;
}

async function fillChat(baseUrl: string, { register, first, messages }: ChatOptions): Promise<void> {
  let join = first;
  for (let index = 0; index < messages; index += 1) {
    if (index > 0 && index % messagesEach === 0) join = await register(index);
    const answer = await fetch(`${baseUrl}/room/${join}/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: texts[index % texts.length] }),
    });
    if (!answer.ok) throw new Error(`A message was refused: ${answer.status} ${await answer.text()}`);
  }
}

const texts = [
  'Hello from Lisbon!',
  'Is there a recording afterwards? I have to leave in twenty minutes.',
  'The slides are at https://example.com/slides, are they?',
  'Unbreakable'.repeat(20),
  'Thank you',
];

const interactions = [
  {
    type: 'poll',
    internalName: 'Plans',
    headline: 'What do you plan first?',
    showAtSeconds: 0,
    display: 'panel',
    options: [{ label: 'A weekly webinar' }, { label: 'A launch' }],
  },
  {
    type: 'cta',
    internalName: 'Map',
    headline: 'Say where you watch from',
    body: 'Write your city in the chat.',
    showAtSeconds: 0,
    display: 'banner',
    url: 'https://example.com/map',
    buttonLabel: 'See the map',
  },
  {
    type: 'offer',
    internalName: 'Starter plan',
    headline: 'Starter plan',
    body: 'Everything for your first ten webinars.',
    showAtSeconds: 0,
    url: 'https://example.com/buy',
    buttonLabel: 'See the offer',
    priceMinor: 7900,
    currency: 'EUR',
    couponCode: 'REMEMBER20',
    countdownSeconds: 80,
  },
];
