import { formatClock } from '../format.ts';
import { useDisconnectedSince } from './connection.ts';
import styles from './connection-bar.module.css';

/** A bar at the lower edge while the service cannot be reached. Clicks go through it. */
export function ConnectionBar() {
  const sinceMs = useDisconnectedSince();
  return (
    <div role="status" className={styles['place']}>
      {sinceMs === undefined ? null : (
        <p className={styles['bar']}>
          Not connected since {formatClock(new Date(sinceMs).toISOString())}. Trying again.
        </p>
      )}
    </div>
  );
}
