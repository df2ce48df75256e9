// Sources of webhooks: a rule or a subscription. Pages about deliveries treat them alike.
import type { Health, Rule, Webhook } from '../../trpc.ts';
import type { EventType } from '../webinar/automations/use-triggers.ts';

export const sourceKinds = ['rule', 'webhook'] as const;
export type SourceKind = (typeof sourceKinds)[number];

export interface SourceRef {
  kind: SourceKind;
  webinarId: string;
  id: string;
}

export interface Source extends SourceRef {
  name: string;
  /** Of a subscription. A rule has a name. */
  description: string | null;
  url: string;
  isEnabled: boolean;
  /** Deliveries wait until somebody resumes it. */
  isHalted: boolean;
  eventTypes: readonly EventType[];
  health: Health;
  createdAt: string;
}

export const isSourceKind = (text: string): text is SourceKind => sourceKinds.some((kind) => kind === text);

/** Undefined for a rule without a webhook. */
export const ruleToSource = ({ action, health, ...rule }: Rule): Source | undefined =>
  action && health
    ? {
        kind: 'rule',
        id: rule.id,
        webinarId: rule.webinarId,
        name: rule.name,
        description: null,
        url: action.url,
        isEnabled: rule.enabled,
        isHalted: rule.halted,
        eventTypes: [rule.trigger.type],
        health,
        createdAt: rule.createdAt,
      }
    : undefined;

export const webhookToSource = (webhook: Webhook): Source => ({
  kind: 'webhook',
  id: webhook.id,
  webinarId: webhook.webinarId,
  name: subscriptionName(webhook),
  description: webhook.description,
  url: webhook.url,
  isEnabled: webhook.active,
  isHalted: webhook.halted,
  eventTypes: webhook.eventTypes,
  health: webhook.health,
  createdAt: webhook.createdAt,
});

/** The description of a subscription, else its URL without the scheme, because several subscriptions may share a host. */
export const subscriptionName = ({ description, url }: { description: string | null; url: string }): string =>
  description ?? url.replace(/^https?:\/\//, '').replace(/\/$/, '');

export const kindWords: Record<SourceKind, string> = { rule: 'Rule', webhook: 'Subscription' };

/** Shown for a source that is switched off. */
export const offReasons: Record<SourceKind, string> = {
  rule: 'The rule is switched off. Switch it on to send webhooks.',
  webhook: 'The subscription is switched off. Switch it on to send webhooks.',
};

export const offReasonOf = ({ kind, isEnabled }: Pick<Source, 'kind' | 'isEnabled'>): string | undefined =>
  isEnabled ? undefined : offReasons[kind];
