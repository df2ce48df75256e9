import styles from './countdown.module.css';
import { useNow } from './clock.ts';
import { useTexts } from './texts.tsx';
import { splitWait } from './time-text.ts';

/** The wait until a time of the server's clock, in days, hours, minutes and seconds, without days and hours at the end. */
export function Countdown({ until }: { until: number }) {
  const { countdown } = useTexts();
  const { days, hours, minutes, seconds } = splitWait(until - useNow());
  const parts = [
    ...(days > 0 ? [{ count: days, unit: countdown.days(days) }] : []),
    ...(days > 0 || hours > 0 ? [{ count: hours, unit: countdown.hours(hours) }] : []),
    { count: minutes, unit: countdown.minutes(minutes) },
    { count: seconds, unit: countdown.seconds(seconds) },
  ];
  return (
    <div className={styles['countdown']} role="timer" aria-label={countdown.label}>
      {parts.map(({ count, unit }) => (
        <span key={unit.slice(0, 2)} className={styles['part']}>
          <span className={styles['count']}>{String(count).padStart(2, '0')}</span>{' '}
          <span className={styles['unit']}>{unit}</span>
        </span>
      ))}
    </div>
  );
}
