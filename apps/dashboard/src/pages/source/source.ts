// Sources of webhooks: a rule made in the dashboard, or a subscription made over the API. Pages about deliveries treat them alike.
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
  url: string;
  isEnabled: boolean;
  eventTypes: readonly EventType[];
  health: Health;
}

export const isSourceKind = (text: string): text is SourceKind => sourceKinds.some((kind) => kind === text);

export const ruleToSource = ({ id, webinarId, name, enabled, trigger, action, health }: Rule): Source => ({
  kind: 'rule',
  id,
  webinarId,
  name,
  url: action.url,
  isEnabled: enabled,
  eventTypes: [trigger.type],
  health,
});

export const webhookToSource = ({ id, webinarId, url, active, eventTypes, health }: Webhook): Source => ({
  kind: 'webhook',
  id,
  webinarId,
  name: URL.parse(url)?.host ?? url,
  url,
  isEnabled: active,
  eventTypes,
  health,
});

/** Shown for a source that is switched off. */
export const offReasons: Record<SourceKind, string> = {
  rule: 'The rule is switched off. Switch it on to send webhooks.',
  webhook: 'The subscription is switched off. It can be switched on over the API.',
};

export const offReasonOf = ({ kind, isEnabled }: Source): string | undefined =>
  isEnabled ? undefined : offReasons[kind];
