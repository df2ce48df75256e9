import { formatMilliseconds } from '../../format.ts';
import styles from './timing-bar.module.css';
import { timingPhases, type Timed } from './timing-phases.ts';

/** The phases of an attempt. Empty when the attempt ended before the first measurement. */
export function TimingBar({ attempt }: { attempt: Timed }) {
  const phases = timingPhases(attempt);
  if (phases.length === 0) return null;
  const { connectMs, firstByteMs } = attempt.timings;
  return (
    <div className={styles['timing']}>
      <div className={styles['bar']} aria-hidden>
        {phases.map(({ phase, ms }) => (
          <span key={phase} data-phase={phase} style={{ flexGrow: ms }} />
        ))}
      </div>
      <ul className={styles['legend']}>
        {connectMs === null && firstByteMs !== null ? <li>Connection reused</li> : null}
        {phases.map(({ name, phase, ms }) => (
          <li key={phase}>
            <span className={styles['swatch']} data-phase={phase} aria-hidden />
            {name} {formatMilliseconds(ms)}
          </li>
        ))}
      </ul>
    </div>
  );
}
