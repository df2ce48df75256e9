import styles from './results.module.css';

export interface Bar {
  name: string;
  count: number;
  /** "64 (53.3 % of registered)" */
  text: string;
}

/** Horizontal bars with their numbers as text. The longest one is as wide as `whole`, or as the largest count. */
export function Bars({ name, bars, whole }: { name: string; bars: readonly Bar[]; whole?: number }) {
  const most = Math.max(1, whole ?? 0, ...bars.map(({ count }) => count));
  return (
    <ul className={styles['bars']} aria-label={name}>
      {bars.map((bar) => (
        <li key={bar.name}>
          <span className={styles['name']}>{bar.name}</span>
          <span className={styles['track']} aria-hidden>
            <i style={{ width: `${(bar.count / most) * 100}%` }} />
          </span>
          <span className={styles['number']}>{bar.text}</span>
        </li>
      ))}
    </ul>
  );
}
