import { CopyableId } from '../../components/copy.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { WebinarStatus } from '../../components/webinar-status.tsx';
import { formatDuration, formatSessionTime } from '../../format.ts';
import type { Webinar } from '../../trpc.ts';
import styles from './webinar-summary.module.css';

export function WebinarSummary({ webinar }: { webinar: Webinar }) {
  const { nextSession } = webinar;
  return (
    <div className={styles['summary']}>
      <WebinarStatus status={webinar.status} />
      {nextSession ? (
        <span>
          {formatSessionTime(nextSession.startsAt, webinar.timezone)} (
          <RelativeTime at={nextSession.startsAt} />)
        </span>
      ) : (
        <span>No session planned</span>
      )}
      <span>{formatDuration(webinar.durationSeconds)}</span>
      <span>{webinar.timezone}</span>
      <CopyableId id={webinar.id} name="webinar id" />
    </div>
  );
}
