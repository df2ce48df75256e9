import { useQuery } from '@tanstack/react-query';
import { CopyableId } from '../../components/copy.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { WebinarStatus } from '../../components/status.tsx';
import { SessionTime } from '../../components/session-time.tsx';
import { formatDuration } from '../../format.ts';
import { useTRPC, type Webinar } from '../../trpc.ts';
import styles from './webinar-summary.module.css';

export function WebinarSummary({ webinar }: { webinar: Webinar }) {
  const startsAt = useNextStart(webinar);
  return (
    <div className={styles['summary']}>
      <WebinarStatus status={webinar.status} />
      {startsAt ? (
        <span>
          <SessionTime at={startsAt} timeZone={webinar.timezone} />, <RelativeTime at={startsAt} />
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

/** The time of the next session. Without one, as in a draft, the first time of the schedule. */
function useNextStart({ id: webinarId, nextSession }: Webinar): string | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.sessions.slots.queryOptions({ webinarId, limit: 1 }, { enabled: nextSession === null }),
  );
  return nextSession?.startsAt ?? data?.data[0]?.startsAt;
}
