// Creates the webinar of a simulation over the REST API, with its interactions, subscription and rules.
import { isApiError, type Client, type CreateInteractionInput } from '@service/client';
import type { Interactions } from '../verdict/expectations.ts';
import { completionPercent, pollOptions, type Programme } from '../programme.ts';
import { subscription, type SimulationReceiver } from './simulation-receiver.ts';
import { rulesOf, subscribedTypes, type RuleDraft } from './event-sources.ts';

export interface Setup {
  webinarId: string;
  sessionId: string;
  sessionTime: string;
  interactions: Interactions;
  /** Undefined when the service refuses webhooks to this machine. */
  webhooks: Webhooks | undefined;
}

interface Webhooks {
  webhookId: string;
  /** Sources by the rules' ids. */
  sources: ReadonlyMap<string, string>;
}

/** The planned start. The session is started by a call, so it is only shown. */
const announcedAheadMs = 60_000;

export async function createSetup(
  client: Client,
  programme: Programme,
  receiver: Pick<SimulationReceiver, 'urlOf' | 'trust'>,
): Promise<Setup> {
  const { data: webinar } = await client.createWebinar({
    body: {
      title: `Simulation ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`,
      durationSeconds: programme.seconds,
      attendance: { minSeconds: 0, completionPercent, noShowGraceMinutes: 0 },
    },
  });
  const webinarId = webinar.id;
  const startsAt = new Date(Date.now() + announcedAheadMs).toISOString();
  const { data: session } = await client.createSession({
    path: { webinarId },
    body: { startsAt, control: 'api' },
  });
  const interactions = await createInteractions(client, webinarId, programme);
  await client.publishWebinar({ path: { webinarId } });
  const webhooks = await follow(client, webinarId, { rules: rulesOf(programme, interactions), receiver });
  return { webinarId, sessionId: session.id, sessionTime: session.startsAt, interactions, webhooks };
}

async function createInteractions(
  client: Client,
  webinarId: string,
  programme: Programme,
): Promise<Interactions> {
  const create = async (body: CreateInteractionInput): Promise<string> =>
    (await client.createInteraction({ path: { webinarId }, body })).data.id;
  return {
    poll: await create({
      type: 'poll',
      internalName: 'Timing',
      headline: 'When will you start?',
      showAtSeconds: programme.pollAt,
      options: [...pollOptions],
    }),
    offer: await create({
      type: 'offer',
      internalName: 'Launch discount',
      headline: '20 % off until midnight',
      showAtSeconds: programme.offerAt,
      url: 'https://example.com/checkout',
      buttonLabel: 'Get the discount',
      priceMinor: 7900,
      currency: 'EUR',
    }),
    cta: await create({
      type: 'cta',
      internalName: 'Book a call',
      headline: 'Questions? Talk to us',
      showAtSeconds: programme.ctaAt,
      url: 'https://example.com/call',
      buttonLabel: 'Book a call',
    }),
    handout: await create({
      type: 'handout',
      internalName: 'Slides',
      headline: 'The slides',
      showAtSeconds: programme.handoutAt,
      url: 'https://example.com/slides.pdf',
      fileName: 'slides.pdf',
    }),
  };
}

/** Creates a subscription and the rules. Undefined when their URL is refused, as in production. */
async function follow(
  client: Client,
  webinarId: string,
  { rules, receiver }: { rules: RuleDraft[]; receiver: Pick<SimulationReceiver, 'urlOf' | 'trust'> },
): Promise<Webhooks | undefined> {
  try {
    const path = { webinarId };
    const { data: webhook } = await client.createWebhook({
      path,
      body: {
        url: receiver.urlOf(subscription),
        description: 'Simulator',
        eventTypes: [...subscribedTypes],
      },
    });
    receiver.trust(subscription, webhook.secret);
    const sources = new Map<string, string>();
    for (const { source, ...rule } of rules) {
      const action = { type: 'webhook' as const, url: receiver.urlOf(source) };
      const { data: made } = await client.createAutomation({ path, body: { ...rule, action } });
      receiver.trust(source, made.secret!);
      sources.set(made.id, source);
    }
    return { webhookId: webhook.id, sources };
  } catch (error) {
    if (isApiError(error) && error.issues.some(({ path }) => /(^|\.)url$/.test(path))) return undefined;
    throw error;
  }
}

/** Switches the subscription and the rules off, because their receiver ends. The webinar stays. */
export async function switchOffWebhooks(client: Client, { webinarId, webhooks }: Setup): Promise<void> {
  if (!webhooks) return;
  const { webhookId } = webhooks;
  await client.updateWebhook({ path: { webinarId, webhookId }, body: { active: false } });
  for (const ruleId of webhooks.sources.keys())
    await client.updateAutomation({ path: { webinarId, ruleId }, body: { enabled: false } });
}

export const moveSession = (
  client: Client,
  { webinarId, sessionId }: Setup,
  action: 'start' | 'end',
): Promise<unknown> => client.progressSession({ path: { webinarId, sessionId }, body: { action } });
