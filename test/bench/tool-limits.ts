import { marketingProviders, type ProviderId } from '@service/marketing-providers';
import { readRegistrationRevenue } from '@service/revenue';
import { startApiProcess } from '../support/api-process.ts';
import { testEncryptionKey } from '../support/api.ts';
import { simulateTool } from '../support/simulate-tool.ts';
import type { Bench } from './bench.ts';
import { atMost, columns, count } from './report.ts';
import { createToolWorld, openToolParts, registerMany, type ToolWorld } from './tool-worlds.ts';

/** Minutes until all people are at the tool: the target and the accepted limit. */
const minutesOf: Record<ProviderId, { target: number; accepted: number }> = {
  hubspot: { target: 1, accepted: 1 },
  klaviyo: { target: 2, accepted: 2 },
  activecampaign: { target: 3, accepted: 3 },
  // Ten calls a second for each contact. An import adds everybody to a list, so it is not used.
  brevo: { target: 3, accepted: 18 },
  mailchimp: { target: 15, accepted: 15 },
  kit: { target: 170, accepted: 170 },
};

/** Mailchimp counts connections that are open at the same time, over all of an account's tools. */
const openOfMailchimp = 10;
const arriveWithinMs = 60_000;
const answerMs = 250;

export const toolLimits: Bench = {
  name: 'tool-limits',
  summary:
    'registrations of one minute (--requests; the whole has 10,000) to each marketing tool at its documented limits: minutes from the last one until ' +
    'all people are at the tool, and the calls that its limits refuse. The clock of the worker and of the fake jumps, and each call is answered ' +
    'after 250 ms, so 170 minutes pass in 30 s. With people who have agreed to marketing, and with people who were not asked',
  async run({ database, url, requests, use }) {
    const parts = await openToolParts({ url, encryptionKey: testEncryptionKey });
    use({ [Symbol.asyncDispose]: () => parts.close() });
    const worlds: { world: ToolWorld; hasAgreed: boolean }[] = [];
    for (const { id: tool } of marketingProviders)
      for (const hasAgreed of [true, false])
        worlds.push({
          world: await createToolWorld({ database }, parts, { tool, baseUrl: 'http://127.0.0.1' }),
          hasAgreed,
        });
    const api = use(await startApiProcess(url));

    const measure = async (world: ToolWorld, hasAgreed: boolean) => {
      const { tool } = world;
      await registerMany(api.baseUrl, world, { people: requests, hasAgreed });
      const simulated = await simulateTool({
        database,
        marketing: parts.connections.marketing,
        readRevenue: readRegistrationRevenue,
        connectionId: world.connectionId,
        tool,
        arriveWithinMs,
        answerMs,
      });
      const { fake, drainedMs, calls, openMax } = simulated;
      if (fake.contacts.size !== requests)
        throw new Error(`${tool} has ${fake.contacts.size} of ${requests} people.`);
      return { tool, hasAgreed, minutes: drainedMs / 60_000, calls, refused: fake.overLimit, openMax };
    };
    const measured: Awaited<ReturnType<typeof measure>>[] = [];
    for (const { world, hasAgreed } of worlds) measured.push(await measure(world, hasAgreed));
    return {
      figures: { measured },
      text: [
        `${count(requests)} registrations in a minute, until all are at the tool`,
        columns([
          ['', 'minutes', 'calls', 'refused', 'open at once'],
          ...measured.map(({ tool, hasAgreed, minutes, calls, refused, openMax }) => [
            `${tool}, ${hasAgreed ? 'agreed' : 'not asked'}`,
            minutes.toFixed(2),
            count(calls),
            count(refused),
            count(openMax),
          ]),
        ]),
      ].join('\n'),
      targets: measured
        .filter(({ hasAgreed }) => hasAgreed)
        .flatMap(({ tool, minutes, refused, openMax }) => {
          const { target, accepted } = minutesOf[tool];
          return [
            atMost(`${tool}: minutes`, minutes, target, accepted),
            atMost(`${tool}: calls above the limit`, refused, 0),
            ...(tool === 'mailchimp' ? [atMost('mailchimp: calls at once', openMax, openOfMailchimp)] : []),
          ];
        }),
    };
  },
};
