// Creates the webinar of a simulation over the REST API, with its interactions, subscription and rules.
import { Refusal, type Api } from './api.ts';
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

interface Made {
  id: string;
}

/** The planned start. The session is started by a call, so it is only shown. */
const announcedAheadMs = 60_000;

export async function createSetup(
  api: Api,
  programme: Programme,
  receiver: Pick<SimulationReceiver, 'urlOf' | 'trust'>,
): Promise<Setup> {
  const { id: webinarId } = await api.post<Made>('/webinars', {
    title: `Simulation ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`,
    durationSeconds: programme.seconds,
    attendance: { minSeconds: 0, completionPercent, noShowGraceMinutes: 0 },
  });
  const path = `/webinars/${webinarId}`;
  const startsAt = new Date(Date.now() + announcedAheadMs).toISOString();
  const session = await api.post<Made & { startsAt: string }>(`${path}/sessions`, {
    startsAt,
    control: 'api',
  });
  const interactions = await createInteractions(api, path, programme);
  await api.post(`${path}/publish`);
  const webhooks = await follow(api, path, { rules: rulesOf(programme, interactions), receiver });
  return { webinarId, sessionId: session.id, sessionTime: session.startsAt, interactions, webhooks };
}

async function createInteractions(api: Api, path: string, programme: Programme): Promise<Interactions> {
  const create = async (interaction: Record<string, unknown>): Promise<string> =>
    (await api.post<Made>(`${path}/interactions`, interaction)).id;
  return {
    poll: await create({
      type: 'poll',
      internalName: 'Timing',
      headline: 'When will you start?',
      showAtSeconds: programme.pollAt,
      options: pollOptions,
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
  api: Api,
  path: string,
  { rules, receiver }: { rules: RuleDraft[]; receiver: Pick<SimulationReceiver, 'urlOf' | 'trust'> },
): Promise<Webhooks | undefined> {
  try {
    const webhook = await api.post<Made & { secret: string }>(`${path}/webhooks`, {
      url: receiver.urlOf(subscription),
      description: 'Simulator',
      eventTypes: subscribedTypes,
    });
    receiver.trust(subscription, webhook.secret);
    const sources = new Map<string, string>();
    for (const { source, ...rule } of rules) {
      const action = { type: 'webhook', url: receiver.urlOf(source) };
      const made = await api.post<Made & { secret: string }>(`${path}/automations`, { ...rule, action });
      receiver.trust(source, made.secret);
      sources.set(made.id, source);
    }
    return { webhookId: webhook.id, sources };
  } catch (error) {
    if (error instanceof Refusal && error.issues.some(({ path }) => /(^|\.)url$/.test(path)))
      return undefined;
    throw error;
  }
}

/** Switches the subscription and the rules off, because their receiver ends. The webinar stays. */
export async function switchOffWebhooks(api: Api, { webinarId, webhooks }: Setup): Promise<void> {
  if (!webhooks) return;
  const path = `/webinars/${webinarId}`;
  await api.patch(`${path}/webhooks/${webhooks.webhookId}`, { active: false });
  for (const ruleId of webhooks.sources.keys())
    await api.patch(`${path}/automations/${ruleId}`, { enabled: false });
}

export const moveSession = (
  api: Api,
  { webinarId, sessionId }: Setup,
  action: 'start' | 'end',
): Promise<unknown> => api.post(`/webinars/${webinarId}/sessions/${sessionId}/progress`, { action });
