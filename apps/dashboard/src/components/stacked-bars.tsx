import { BarPicker } from './bar-picker.tsx';
import styles from './stacked-bars.module.css';

export interface Bar {
  /** The bar as text, for screen readers. */
  label: string;
  good: number;
  bad: number;
  /** Neither yet. */
  waiting?: number;
}

interface StackedBarsProps {
  /** Name of the chart, for screen readers. */
  name: string;
  bars: readonly Bar[];
  /** The bar with the pointer or the focus. */
  onLook: (index: number | undefined) => void;
  /** The first and the last selected bar. */
  onPick: (first: number, last: number) => void;
}

/** Stacked bars of successes, failures and what has no result yet. */
export function StackedBars({ name, bars, onLook, onPick }: StackedBarsProps) {
  const most = Math.max(1, ...bars.map(({ good, bad, waiting = 0 }) => good + bad + waiting));
  return (
    <BarPicker
      name={name}
      labels={bars.map(({ label }) => label)}
      renderBar={(index) => <Parts bar={bars[index]!} most={most} />}
      onLook={onLook}
      onPick={onPick}
    />
  );
}

const Parts = ({ bar: { good, bad, waiting = 0 }, most }: { bar: Bar; most: number }) => (
  <>
    {waiting > 0 ? <span className={styles['waiting']} style={{ height: heightOf(waiting, most) }} /> : null}
    <span className={styles['bad']} style={{ height: heightOf(bad, most) }} />
    <span className={styles['good']} style={{ height: heightOf(good, most) }} />
  </>
);

/** Keeps the smallest count visible. */
const heightOf = (count: number, most: number): string | number =>
  count === 0 ? 0 : `max(2px, ${(count / most) * 100}%)`;
