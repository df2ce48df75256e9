import { CopyAction, CopyableId } from '../../components/copy.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import { useTriggerText } from '../webinar/automations/use-triggers.ts';
import { HealthBadge } from './health-badge.tsx';
import { healthText } from '../delivery/failure-text.ts';
import styles from './source-page.module.css';
import type { Source } from './source.ts';

/** State, health of the endpoint, event types and URL. The id of a rule is among its details, so that this is one line. */
export function SourceSummary({ source }: { source: Source }) {
  const { kind, id, url, isEnabled, isHalted, eventTypes, health } = source;
  const triggerText = useTriggerText();
  return (
    <div className={styles['summary']}>
      <Status tone={isEnabled ? 'good' : 'quiet'} isHollow={!isEnabled}>
        {isEnabled ? 'Enabled' : 'Off'}
      </Status>
      {health.failuresInARow === 0 && !isHalted ? null : <HealthBadge health={health} isHalted={isHalted} />}
      {health.failuresInARow > 0 && health.status !== 'paused' ? (
        <span>
          {healthText(health)}
          {health.since ? (
            <>
              , since <RelativeTime at={health.since} />
            </>
          ) : null}
        </span>
      ) : null}
      <span title={eventTypes.join(', ')}>
        {eventTypes.length === 1 ? triggerText(eventTypes[0]!) : `${eventTypes.length} event types`}
      </span>
      <span className={styles['url']}>
        <code>POST {url}</code>
        <CopyAction text={url} label="Copy endpoint URL" />
      </span>
      {kind === 'rule' ? null : <CopyableId id={id} name="subscription id" />}
    </div>
  );
}
