import { PausedNotice } from '../source/paused-notice.tsx';
import { SourceLink } from '../source/source-link.tsx';
import { ruleToSource, webhookToSource } from '../source/source.ts';
import styles from './paused-sources.module.css';
import { useRules, useWebhooks } from '../source/use-sources.ts';

const shownMax = 3;

/** The paused rules and subscriptions of the webinar, on every tab. Hidden when there are none. */
export function PausedSources({ webinarId }: { webinarId: string }) {
  const rules = useRules(webinarId).data?.data ?? [];
  const webhooks = useWebhooks(webinarId).data?.data ?? [];
  const paused = [...rules.map(ruleToSource), ...webhooks.map(webhookToSource)].filter(
    ({ isEnabled, health }) => isEnabled && health.status === 'paused',
  );
  if (paused.length === 0) return null;
  return (
    <div className={styles['notices']}>
      {paused.slice(0, shownMax).map((source) => (
        <PausedNotice
          key={source.id}
          source={source}
          name={
            <>
              {source.kind === 'rule' ? 'The rule' : 'The subscription'} <SourceLink source={source} />
            </>
          }
        />
      ))}
      {paused.length > shownMax ? (
        <span className={styles['more']}>And {paused.length - shownMax} more under Automations.</span>
      ) : null}
    </div>
  );
}
