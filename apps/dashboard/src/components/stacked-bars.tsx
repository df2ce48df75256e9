import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
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
  /** The first and the last selected bar: one by a click or Enter, several by dragging over them. */
  onPick: (first: number, last: number) => void;
}

/** Stacked bars of successes, failures and what has no result yet. One tab stop: arrow keys go from bar to bar, with Shift they select several. */
export function StackedBars({ name, bars, onLook, onPick }: StackedBarsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(Infinity);
  const [picking, setPicking] = useState<Picking>();
  const hasFocus = useRef(false);
  const last = bars.length - 1;
  const stop = Math.min(focused, last);
  const most = Math.max(1, ...bars.map(({ good, bad, waiting = 0 }) => good + bad + waiting));

  // Other bars may be fewer, and the browser drops the focus of one that is gone.
  useEffect(() => {
    if (hasFocus.current && !frame.current!.contains(document.activeElement))
      frame.current!.querySelectorAll('button')[stop]?.focus();
  }, [stop]);

  const barAt = ({ clientX }: MouseEvent): number => {
    const { left, width } = frame.current!.getBoundingClientRect();
    return clamp(Math.floor(((clientX - left) / width) * bars.length), last);
  };
  const move = (event: KeyboardEvent) => {
    const target = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const to = clamp(target, last);
    setPicking(event.shiftKey ? { from: picking?.from ?? stop, to } : undefined);
    frame.current!.querySelectorAll('button')[to]!.focus();
  };
  const pick = (event: MouseEvent) => {
    // A click event with detail 0 comes from the keyboard: it is for the bar with the focus.
    const here = event.detail === 0 ? stop : barAt(event);
    const { from, to } = picking ?? { from: here, to: here };
    setPicking(undefined);
    onPick(Math.min(from, to), Math.max(from, to));
  };

  return (
    <div
      ref={frame}
      className={styles['bars']}
      role="group"
      aria-label={name}
      onKeyDown={move}
      onClick={pick}
      onPointerDown={(event) => {
        if (event.button === 0) setPicking({ from: barAt(event), to: barAt(event) });
      }}
      onPointerMove={(event) => {
        onLook(barAt(event));
        if (picking) setPicking(event.buttons === 0 ? undefined : { ...picking, to: barAt(event) });
      }}
      onPointerCancel={() => setPicking(undefined)}
      onPointerLeave={() => onLook(undefined)}
    >
      {bars.map(({ label, good, bad, waiting = 0 }, index) => (
        <button
          // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
          key={index}
          type="button"
          className={styles['bar']}
          aria-label={label}
          tabIndex={index === stop ? 0 : -1}
          data-picked={picking && isBetween(index, picking) ? true : undefined}
          onFocus={() => {
            hasFocus.current = true;
            setFocused(index);
            onLook(index);
          }}
          onBlur={() => {
            hasFocus.current = false;
            onLook(undefined);
          }}
        >
          {waiting > 0 ? (
            <span className={styles['waiting']} style={{ height: heightOf(waiting, most) }} />
          ) : null}
          <span className={styles['bad']} style={{ height: heightOf(bad, most) }} />
          <span className={styles['good']} style={{ height: heightOf(good, most) }} />
        </button>
      ))}
    </div>
  );
}

interface Picking {
  from: number;
  to: number;
}

const clamp = (index: number, last: number): number => Math.max(0, Math.min(last, index));

const isBetween = (index: number, { from, to }: Picking): boolean =>
  index >= Math.min(from, to) && index <= Math.max(from, to);

/** Keeps the smallest count visible. */
const heightOf = (count: number, most: number): string | number =>
  count === 0 ? 0 : `max(2px, ${(count / most) * 100}%)`;
