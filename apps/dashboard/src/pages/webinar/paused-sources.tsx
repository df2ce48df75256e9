import { ruleToSource, webhookToSource } from '../source/source.ts';
import { PausedList } from '../source/paused-list.tsx';
import { useRules, useWebhooks } from '../source/use-sources.ts';

/** The paused endpoints of the webinar, on every tab. Hidden when there are none. */
export function PausedSources({ webinarId }: { webinarId: string }) {
  const rules = useRules(webinarId).data?.data ?? [];
  const webhooks = useWebhooks(webinarId).data?.data ?? [];
  const sources = [...rules.map(ruleToSource), ...webhooks.map(webhookToSource)];
  return (
    <PausedList
      sources={sources.filter(({ isEnabled, health }) => isEnabled && health.status === 'paused')}
    />
  );
}
