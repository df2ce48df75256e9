// Workers are killed at each call of a change to each marketing tool.
import { marketingProviders, type ProviderId } from '@service/marketing-providers';
import {
  type FakeAnswer,
  providerOf,
  type RunningFake,
  startFake,
} from '@service/marketing-providers/testing';
import { waitUntil } from '../support/wait-until.ts';
import { searchKeys } from './contacts/search-keys.ts';
import { openTool, register, type Tool } from './contacts/tool-account.ts';
import { check, type Check, type Drill } from './drill.ts';
import { startWorkers } from './standby-workers.ts';
import type { ChaosWorld } from './world.ts';

/** `arrived`: before the tool acts. `acted`: without an answer. `answered`: while the result is written. */
const moments = ['arrived', 'acted', 'answered'] as const;
type Moment = (typeof moments)[number];

/** Calls of one change with all of its parts. */
const callsOf: Record<ProviderId, number> = {
  klaviyo: 3,
  hubspot: 4,
  mailchimp: 5,
  activecampaign: 6,
  kit: 3,
  brevo: 4,
};

const callMaxMs = 5000;
const drainMaxMs = 300_000;
const secondsMax = 20 * 60;
/** More than a batch needs. */
const groupSize = 25;

export const contacts: Drill = {
  name: 'contacts',
  summary:
    'Registrants are sent to fakes of all six marketing tools, by rules and in step, alone and in batches. A worker is killed (-9) before a call is ' +
    'acted on, before its answer and after it; the next worker goes on. Each tool has the same contacts afterwards as in a run ' +
    'without kills, and no event is lost; where tools recognize events none is doubled. Then all keys are revoked, and no key is found in logs, in the ' +
    'database, in answers or in calls. --kills 1000 takes 20 minutes at most.',
  seconds: 90,
  async run({ openWorld, seconds, kills: killsMax, say }) {
    await using opened = new AsyncDisposableStack();
    const world = await openWorld({ webinars: 1 });
    const logs: string[] = [];
    const api = await world.startApi({
      onText: (text) => logs.push(text),
      variables: { LOG_LEVEL: 'debug' },
    });
    const open = async (id: ProviderId, name: string): Promise<Tool> =>
      openTool(world, { id, name, fake: opened.use(await startFake(id)) });
    const tools: Tool[] = [];
    for (const { id } of marketingProviders) tools.push(await open(id, 'killed'));
    const workers = opened.use(
      await startWorkers({
        program: new URL('contacts/worker-process.ts', import.meta.url),
        args: [world.databaseUrl, world.encryptionKey],
        onText: (text) => logs.push(text),
      }),
    );
    const endAt = performance.now() + Math.min(killsMax ? secondsMax : seconds, secondsMax) * 1000;
    const isOver = (): boolean => performance.now() >= endAt || (killsMax !== undefined && kills >= killsMax);
    let kills = 0;
    let missed = 0;
    const atMoments: Record<string, number> = {};
    while (!isOver()) {
      const turn = kills + missed;
      const tool = tools[turn % tools.length]!;
      const round = Math.floor(turn / tools.length);
      const isGroup = round % 4 === 3 && providerOf(tool.id).batch !== undefined;
      const moment = moments[round % moments.length]!;
      const place = isGroup ? 1 : 1 + (Math.floor(round / moments.length) % callsOf[tool.id]);
      const isKilled = untilCall(tool, { place, moment, kill: workers.kill });
      await register(tool, isGroup ? 'plain' : 'ruled', newPeople(turn, isGroup ? groupSize : 2));
      await hurry(world);
      if (await isKilled) {
        kills += 1;
        const name = `${tool.id} ${moment}`;
        atMoments[name] = (atMoments[name] ?? 0) + 1;
      } else missed += 1;
      await workers.goOn();
      // The only worker is new, so no lease belongs to a worker that lives. That of a dead one would last for 45 seconds.
      await world.query('update contacts.lane set lease_until = now() where lease_token is not null');
      if (kills % 10 === 0) say(`${kills} kills`);
    }
    say('draining');
    const isDrained = await drain(world);
    say('a run without kills');
    const judged: Check[] = [];
    const figures: Record<string, string> = {};
    const controls: Tool[] = [];
    for (const tool of tools) {
      const control = await open(tool.id, 'control');
      for (const webinar of ['ruled', 'plain'] as const) {
        const emails = tool.registered.filter((one) => one.webinar === webinar).map(({ email }) => email);
        await register(control, webinar, emails);
      }
      controls.push(control);
    }
    const isControlDrained = await drain(world);
    for (const [index, tool] of tools.entries()) {
      const { checks, figure } = judge(tool, controls[index]!, kills);
      judged.push(...checks);
      figures[tool.id] = figure;
    }
    say('revoking keys');
    workers.kill();
    const found = await searchKeys(world, tools, logs);
    await api.kill();
    return {
      checks: [
        check('every change ends', isDrained && isControlDrained, isDrained ? 'none waits' : 'some wait'),
        check('kills happened at their calls', kills > missed, `${kills} kills, ${missed} turns without`),
        ...judged,
        ...found,
      ],
      figures: {
        kills,
        'turns without a kill': missed,
        'fewest kills at one moment': Math.min(...Object.values(atMoments)),
        ...figures,
      },
    };
  },
};

const newPeople = (turn: number, people: number): string[] =>
  Array.from({ length: people }, (_, index) => `person-${turn}-${index}@example.com`);

/** Resolves with true when the worker was killed at a call of the tool. */
async function untilCall(
  { fake }: Tool,
  { place, moment, kill }: { place: number; moment: Moment; kill(): void },
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), callMaxMs);
  const { handle } = fake;
  let calls = 0;
  let isDead = false;
  const killNow = (): void => {
    kill();
    isDead = true;
    resolve(true);
  };
  fake.handle = (request): FakeAnswer | 'lost' | 'silent' => {
    // Of a worker that was killed while this call was on its way.
    if (isDead) return 'silent';
    calls += 1;
    if (calls !== place) return handle(request);
    if (moment === 'arrived') {
      killNow();
      return 'silent';
    }
    const answer = handle(request);
    if (moment === 'acted') {
      killNow();
      return 'silent';
    }
    setTimeout(killNow, calls % 8);
    return answer;
  };
  const isKilled = await promise;
  clearTimeout(timer);
  fake.handle = handle;
  return isKilled;
}

/** Changes are due at once. */
const hurry = ({ query }: ChaosWorld) =>
  query('update contacts.change set due_at = now() where not is_taken and due_at > now()');

const drain = (world: ChaosWorld): Promise<boolean> =>
  waitUntil(async () => {
    await hurry(world);
    return (await world.query('select from contacts.change limit 1')).length === 0;
  }, drainMaxMs);

function judge(killed: Tool, control: Tool, kills: number): { checks: Check[]; figure: string } {
  const { id, fake, registered } = killed;
  const people = registered.map(({ email }) => email);
  const stateOf = ({ contacts: known }: RunningFake, email: string): string => {
    const contact = known.get(email);
    if (!contact) return 'none';
    const { fields, tags, lists, consent } = contact;
    const sorted = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return JSON.stringify([sorted, [...tags].toSorted(), [...lists].toSorted(), consent]);
  };
  const different = people.filter((email) => stateOf(fake, email) !== stateOf(control.fake, email));
  const eventsOf = ({ events }: RunningFake): Map<string, number> =>
    new Map([...Map.groupBy(events, ({ email }) => email)].map(([email, own]) => [email, own.length]));
  const [own, expected] = [eventsOf(fake), eventsOf(control.fake)];
  const countOf = (counts: Map<string, number>, email: string): number => counts.get(email) ?? 0;
  const lost = people.filter((email) => countOf(own, email) < countOf(expected, email)).length;
  const doubled = people.reduce(
    (sum, email) => sum + Math.max(0, countOf(own, email) - countOf(expected, email)),
    0,
  );
  const { exist, areIdempotent } = providerOf(id).events;
  const ofAll = `of ${people.length}`;
  return {
    checks: [
      check(
        `${id}: every contact is as without kills`,
        different.length === 0,
        `${different.length} others ${ofAll}`,
      ),
      ...(exist
        ? [
            check(`${id}: no event is lost`, lost === 0, `${lost} ${ofAll}`),
            areIdempotent
              ? check(`${id}: no event is doubled`, doubled === 0, `${doubled} ${ofAll}`)
              : check(
                  `${id}: fewer events are doubled than workers killed`,
                  doubled < kills,
                  `${doubled} ${ofAll}`,
                ),
          ]
        : []),
    ],
    figure: `${people.length} people, ${fake.requests.length} calls (${control.fake.requests.length} without kills)${exist ? `, ${doubled} events doubled` : ''}`,
  };
}
