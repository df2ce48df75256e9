// The lobby, a live room with chat, the choice of an adaptive webinar, and a replay.
import { inMinutes, scheduleAt } from '../support/api.ts';
import type { DashboardClient } from '../support/dashboard.ts';
import type { LookRows } from './world.ts';

interface RoomsOptions {
  baseUrl: string;
  /** A REST call, which throws when it is refused. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each call has its own data
  call: (route: string, body: unknown) => Promise<any>;
  owner: DashboardClient;
  rows: LookRows;
  longName: string;
}

/** A page of chat keeps so many. */
const messagesMax = 200;
/** One attendee may not write all of them. */
const messagesEach = 4;

/** Makes a webinar with a session in each phase, and an adaptive one. Returns the tokens of attendees, and the live session. */
export async function openRooms(options: RoomsOptions): Promise<Record<string, string>> {
  const { baseUrl, call, owner, rows, longName } = options;
  const isFull = rows > 1;
  const startsAt = inMinutes(10);
  const webinar = await call('POST /webinars', {
    title: isFull ? longName : 'How to plan a webinar that people remember',
    description: rows === 0 ? null : 'A short tour of webinars that run at the right time for everybody.',
    durationSeconds: 85,
    schedule: scheduleAt(startsAt),
    replay: { enabled: true },
    video: videoOf(baseUrl),
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
  if (rows > 0)
    for (const fields of interactionsWith(isFull ? longName : undefined))
      await call(`POST ${at}/interactions`, fields);
  await call(`POST ${at}/publish`, undefined);
  const register = async (index: number, sessionTime: string): Promise<string> => {
    const name = isFull && index % 10 === 7 ? longName : `Ada Lovelace ${index}`;
    const body = { name, email: `ada${index}@example.com`, sessionTime };
    return joinOf(await call(`POST ${at}/registrations`, body));
  };
  const createSession = (minutes: number) =>
    call(`POST ${at}/sessions`, { startsAt: inMinutes(minutes), control: 'api' });
  const [live, ended, cancelled] = [
    await createSession(30),
    await createSession(60),
    await createSession(90),
  ];
  const ids = {
    roomWebinarId: webinar.id,
    liveSessionId: live.id,
    lobbyJoin: await register(0, startsAt),
    roomJoin: await register(0, live.startsAt),
    replayJoin: await register(0, ended.startsAt),
    cancelledSessionJoin: await register(0, cancelled.startsAt),
    choiceJoin: await openChoice(options),
  };
  // No place in a live session can be booked.
  const messages = Math.min(rows, messagesMax);
  const joins = [ids.roomJoin];
  while (joins.length * messagesEach < messages) joins.push(await register(joins.length, live.startsAt));
  for (const { id } of [live, ended]) await call(`POST ${at}/sessions/${id}/progress`, { action: 'start' });
  await call(`POST ${at}/sessions/${ended.id}/progress`, { action: 'end' });
  await call(`POST ${at}/sessions/${cancelled.id}/cancel`, undefined);
  await fillChat(baseUrl, joins, messages);
  const where = { webinarId: webinar.id, sessionId: live.id };
  if (isFull) await owner.mutate('responses.sendMessage', { ...where, text: 'The slides come at the end.' });
  return ids;
}

const videoOf = (baseUrl: string) => ({
  source: 'url',
  url: `${baseUrl}/room-assets/demo.webm`,
  captionsUrl: `${baseUrl}/room-assets/demo.vtt`,
});

const joinOf = ({ joinUrl }: { joinUrl: string }): string => joinUrl.split('/').at(-1)!;

/** An adaptive webinar whose first segment asks at once. Returns the token of an attendee. */
async function openChoice({ baseUrl, call, rows, longName }: RoomsOptions): Promise<string> {
  const video = videoOf(baseUrl);
  const webinar = await call('POST /webinars', {
    title: 'A webinar of two ways',
    kind: 'adaptive',
    schedule: { onDemand: true },
    video,
  });
  const at = `/webinars/${webinar.id}`;
  const segment = async (title: string, fields: object): Promise<string> =>
    (await call(`POST ${at}/segments`, { title, durationSeconds: 85, videoUrl: video.url, ...fields })).id;
  const fromSegmentId = await segment('Welcome', { isEntry: true });
  const end = await segment('Everything', { isTerminal: true });
  const more = rows > 1 ? longName.slice(0, 100) : 'Show me the prices';
  await call(`POST ${at}/branches`, { fromSegmentId, toSegmentId: end, label: 'Everything', via: 'default' });
  for (const label of [more, 'Show me an example'])
    await call(`POST ${at}/branches`, {
      fromSegmentId,
      toSegmentId: end,
      label,
      via: 'choice',
      promptText: 'What would you like to see next?',
      promptAtSeconds: 0,
      choiceTimeoutSeconds: 60,
    });
  await call(`POST ${at}/publish`, undefined);
  return joinOf(await call(`POST ${at}/registrations`, { name: 'Ada Lovelace', email: 'ada@example.com' }));
}

async function fillChat(baseUrl: string, joins: readonly string[], messages: number): Promise<void> {
  for (let index = 0; index < messages; index += 1) {
    const join = joins[Math.floor(index / messagesEach)];
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

const interactionsWith = (longName: string | undefined) => [
  {
    type: 'poll',
    internalName: 'Plans',
    headline: longName ?? 'What do you plan first?',
    showAtSeconds: 0,
    display: 'panel',
    options: [{ label: longName ?? 'A weekly webinar' }, { label: 'A launch' }],
  },
  {
    type: 'handout',
    internalName: 'Slides',
    headline: longName ?? 'The slides of this webinar',
    showAtSeconds: 0,
    display: 'panel',
    url: 'https://example.com/slides.pdf',
    fileName: longName ?? 'slides.pdf',
  },
  {
    type: 'cta',
    internalName: 'Map',
    headline: longName ?? 'Say where you watch from',
    body: longName ?? 'Write your city in the chat.',
    showAtSeconds: 0,
    display: 'banner',
    url: 'https://example.com/map',
    buttonLabel: longName?.slice(0, 100) ?? 'See the map',
  },
  {
    type: 'offer',
    internalName: 'Starter plan',
    headline: longName ?? 'Starter plan',
    body: longName ?? 'Everything for your first ten webinars.',
    showAtSeconds: 0,
    url: 'https://example.com/buy',
    buttonLabel: longName?.slice(0, 100) ?? 'See the offer',
    priceMinor: 7900,
    currency: 'EUR',
    couponCode: 'REMEMBER20',
    countdownSeconds: 80,
  },
];
