import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import styles from './bar-picker.module.css';

interface BarPickerProps {
  /** Name of the chart, for screen readers. */
  name: string;
  /** Each bar as text, for screen readers. */
  labels: readonly string[];
  renderBar: (index: number) => ReactNode;
  /** The bar with the pointer or the focus. */
  onLook: (index: number | undefined) => void;
  /** The first and the last selected bar: one by a click or Enter, several by dragging over them. */
  onPick: (first: number, last: number) => void;
}

/** The bars of a chart over time. One tab stop: arrow keys go from bar to bar, with Shift they select several. */
export function BarPicker({ name, labels, renderBar, onLook, onPick }: BarPickerProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(Infinity);
  const [picking, setPicking] = useState<Picking>();
  const hasFocus = useRef(false);
  const last = labels.length - 1;
  const stop = Math.min(focused, last);

  // Other bars may be fewer, and the browser drops the focus of one that is gone.
  useEffect(() => {
    if (hasFocus.current && !frame.current!.contains(document.activeElement))
      frame.current!.querySelectorAll('button')[stop]?.focus();
  }, [stop]);

  const barAt = ({ clientX }: MouseEvent): number => {
    const { left, width } = frame.current!.getBoundingClientRect();
    return clamp(Math.floor(((clientX - left) / width) * labels.length), last);
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
      {labels.map((label, index) => (
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
          {renderBar(index)}
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
