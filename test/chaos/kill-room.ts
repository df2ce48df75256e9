import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { check, type Check, type Drill } from './drill.ts';
import { callRoom, openLiveRoom, type LiveRoom, type RoomAttendee } from './live-room.ts';
import type { ChaosWorld } from './world.ts';

const attendeeCount = 100;
const everyMs = 200;
const clickEvery = 3;
const killEveryMs = 2500;

export const killRoom: Drill = {
  name: 'kill-room',
  summary:
    'The API is killed (-9) every few seconds while 100 attendees play and click, so in the middle of their batches. Each ' +
    'acknowledged click is recorded, none twice, and watch time that was acknowledged is there.',
  seconds: 15,
  async run({ openWorld, say, seconds }) {
    const world = await openWorld({ webinars: 0 });
    let api = await world.startApi();
    const room = await openLiveRoom(world.call, attendeeCount);
    const startedAt = Date.now();
    const players = room.attendees.map((attendee) => startPlayer(world, room, attendee));
    let kills = 0;
    const endAt = performance.now() + seconds * 1000;
    while (performance.now() < endAt) {
      await delay(killEveryMs);
      await api.kill();
      kills += 1;
      say(`${kills} kills`);
      api = await world.startApi();
    }
    await delay(killEveryMs);
    const played = await Promise.all(players.map((player) => player.stop()));
    const wallSeconds = (Date.now() - startedAt) / 1000;
    const sum = (count: (one: Played) => number): number =>
      played.reduce((total, one) => total + count(one), 0);
    return {
      checks: await judge(world, played, wallSeconds),
      figures: {
        kills,
        clicks: sum(({ clicks }) => clicks.acknowledged),
        'clicks without an answer': sum(({ clicks }) => clicks.unknown),
        heartbeats: sum(({ beats }) => beats),
      },
    };
  },
};

interface Played {
  attendee: RoomAttendee;
  /** Those that were answered 201, and those without an answer. */
  clicks: { acknowledged: number; unknown: number };
  beats: number;
  /** From the last heartbeat that was answered. */
  watchedSeconds: number;
}

/** Plays and clicks until it is stopped; a call without an answer is not made again. */
function startPlayer({ apiOrigin }: ChaosWorld, room: LiveRoom, attendee: RoomAttendee) {
  const agent = new Agent({ connections: 1 });
  const played: Played = {
    attendee,
    clicks: { acknowledged: 0, unknown: 0 },
    beats: 0,
    watchedSeconds: 0,
  };
  const stopping = new AbortController();
  const call = (path: string, body: unknown) =>
    callRoom({ origin: apiOrigin, agent, path: `${attendee.join}/${path}`, body }).catch(() => undefined);
  const enter = async (): Promise<string | undefined> => {
    const entered = await call('visits', {});
    return entered?.status === 201 ? String(entered.answer.visitId) : undefined;
  };
  const play = async (): Promise<void> => {
    const startedAt = performance.now();
    let visitId: string | undefined;
    let at = 0;
    for (let turn = 1; !stopping.signal.aborted; turn += 1) {
      await delay(everyMs);
      visitId ??= await enter();
      if (visitId === undefined) continue;
      if (turn % clickEvery === 0) {
        const clicked = await call(`interactions/${room.interactionId}/clicks`, {});
        if (clicked?.status === 201) played.clicks.acknowledged += 1;
        else if (!clicked || clicked.status >= 500) played.clicks.unknown += 1;
      }
      const now = (performance.now() - startedAt) / 1000;
      const heartbeat = {
        visitId,
        seq: turn,
        playheadSeconds: now,
        intervals: [[at, now]],
        state: 'playing',
        visible: true,
      };
      const beaten = await call('heartbeats', heartbeat);
      if (beaten?.status !== 200) continue;
      at = now;
      played.beats += 1;
      played.watchedSeconds = Number(beaten.answer.watchedSeconds);
    }
  };
  const playing = play();
  return {
    async stop() {
      stopping.abort();
      await playing;
      await agent.destroy();
      return played;
    },
  };
}

interface Recorded {
  id: string;
  clicks: number;
  watched: number;
}

const selectRecorded = `
  select attendance.registration_id as id, attendance.watched_seconds as watched,
    (select count(*)::int from attendees.attendee_event event
     where event.registration_id = attendance.registration_id and event.type = 'cta_click') as clicks
  from attendees.attendance`;

async function judge(world: ChaosWorld, played: readonly Played[], wallSeconds: number): Promise<Check[]> {
  const rows = await world.query<Recorded>(selectRecorded);
  const recordedById = new Map(rows.map((row) => [row.id, row]));
  const count = (isWrong: (one: Played, recorded: Recorded) => boolean): number =>
    played.filter((one) => {
      const recorded = recordedById.get(one.attendee.registrationId);
      return !recorded || isWrong(one, recorded);
    }).length;
  const lost = count(({ clicks }, recorded) => recorded.clicks < clicks.acknowledged);
  const doubled = count(({ clicks }, recorded) => recorded.clicks > clicks.acknowledged + clicks.unknown);
  const forgotten = count(({ watchedSeconds }, recorded) => recorded.watched < watchedSeconds);
  const impossible = count((_, recorded) => recorded.watched > wallSeconds + 2);
  const clicks = played.reduce((sum, one) => sum + one.clicks.acknowledged, 0);
  return [
    check('each acknowledged click is recorded', clicks > 0 && lost === 0, `${lost} attendees miss some`),
    check('no click is recorded twice', doubled === 0, `${doubled} attendees have too many`),
    check('watch time that was acknowledged is there', forgotten === 0, `${forgotten} attendees lost some`),
    check(
      'no attendee has watched longer than the drill lasted',
      impossible === 0,
      `${impossible} of ${played.length}`,
    ),
  ];
}
