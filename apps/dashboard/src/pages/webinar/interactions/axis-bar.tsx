import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { formatRange } from '../../../time-text.ts';
import type { Interaction } from '../../../trpc.ts';
import styles from './axis.module.css';
import { typeLooks } from './interaction-types.ts';
import type { Placed, Scale } from './lanes.ts';
import { endAt, moveTo, stepOf } from './span-moves.ts';
import type { Times, useSpanEdit } from './use-span-edit.ts';

interface AxisBarProps {
  interaction: Interaction;
  times: Times;
  placed: Placed;
  scale: Scale;
  edit: ReturnType<typeof useSpanEdit>;
  /** The bar that the Tab key reaches. */
  isStop: boolean;
  warnings: readonly string[];
  onFocus: () => void;
  onOpen: () => void;
}

/** A pointer that moved less is a click. */
const dragMinPx = 4;

/** A narrower bar has no room for a handle. Its end is changed in its panel. */
const endMinPx = 64;

/** A narrower bar shows its icon only. */
const nameMinPx = 48;

export function AxisBar({ interaction, times, placed, edit, isStop, warnings, ...props }: AxisBarProps) {
  const { scale, onFocus, onOpen } = props;
  const { icon: Icon, word, tone } = typeLooks[interaction.type];
  const { durationSeconds } = scale;
  const drag = useDrag({ scale, edit, interaction, times, placed });
  const text = [
    `${word} ${interaction.internalName}, ${formatRange(times.showAtSeconds, times.hideAtSeconds)}`,
    ...(interaction.enabled ? [] : ['off']),
    ...warnings,
  ].join(', ');
  const end = times.hideAtSeconds ?? durationSeconds;

  const moveByKey = (event: KeyboardEvent) => {
    const step = stepOf(event);
    const start =
      step === undefined ? { Home: 0, End: durationSeconds }[event.key] : times.showAtSeconds + step;
    if (start === undefined) return;
    event.preventDefault();
    edit.step(interaction, moveTo(times, start, durationSeconds));
  };
  const moveEndByKey = (event: KeyboardEvent) => {
    const step = stepOf(event);
    const to = step === undefined ? { Home: 0, End: durationSeconds }[event.key] : end + step;
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    edit.step(interaction, endAt(times, to, durationSeconds));
  };

  return (
    <div
      className={styles['bar']}
      style={{ left: placed.leftPx, width: placed.widthPx, '--lane': placed.lane, '--tone': tone }}
      data-off={interaction.enabled ? undefined : true}
      data-open={times.hideAtSeconds === null || undefined}
    >
      <button
        type="button"
        className={styles['body']}
        data-bar={interaction.id}
        aria-label={text}
        title={text}
        tabIndex={isStop ? 0 : -1}
        onFocus={onFocus}
        onBlur={edit.save}
        onKeyDown={moveByKey}
        onClick={() => (drag.wasDragged() ? undefined : onOpen())}
        {...drag.handlers((bySeconds, { times: grabbed }) =>
          moveTo(grabbed, grabbed.showAtSeconds + bySeconds, durationSeconds),
        )}
      >
        {warnings.length > 0 ? <IconAlertTriangle size={14} aria-hidden /> : <Icon size={14} aria-hidden />}
        {placed.widthPx < nameMinPx ? null : (
          <span className={styles['name']}>{interaction.internalName}</span>
        )}
      </button>
      {placed.widthPx < endMinPx ? null : (
        <button
          type="button"
          className={styles['end']}
          aria-label={`End of ${interaction.internalName}, ${formatRange(times.showAtSeconds, times.hideAtSeconds)}`}
          tabIndex={isStop ? 0 : -1}
          onFocus={onFocus}
          onBlur={edit.save}
          onKeyDown={moveEndByKey}
          {...drag.handlers((bySeconds, { times: grabbed, endSeconds }) =>
            endAt(grabbed, endSeconds + bySeconds, durationSeconds),
          )}
        />
      )}
    </div>
  );
}

interface DragParts {
  scale: Scale;
  edit: ReturnType<typeof useSpanEdit>;
  interaction: Interaction;
  times: Times;
  placed: Placed;
}

interface Grabbed {
  x: number;
  times: Times;
  /** A bar without an end is grabbed where it is drawn to end. */
  endSeconds: number;
  isMoved: boolean;
}

/** Moves by the pointer. The change is counted from the place where the bar was grabbed. */
function useDrag({ scale, edit, interaction, times, placed }: DragParts) {
  const grabbed = useRef<Grabbed>(undefined);
  const secondsAt = (px: number): number => (px / scale.widthPx) * scale.durationSeconds;
  const handlers = (timesAfter: (bySeconds: number, grabbed: Grabbed) => Times) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const endSeconds = times.hideAtSeconds ?? secondsAt(placed.leftPx + placed.widthPx);
      grabbed.current = { x: event.clientX, times, endSeconds, isMoved: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const start = grabbed.current;
      if (!start || event.buttons === 0) return;
      const byPx = event.clientX - start.x;
      if (!start.isMoved && Math.abs(byPx) < dragMinPx) return;
      start.isMoved = true;
      edit.move(interaction, timesAfter(secondsAt(byPx), start));
    },
    onPointerUp: () => {
      if (grabbed.current?.isMoved) edit.save();
    },
    onPointerCancel: () => {
      if (grabbed.current?.isMoved) edit.save();
      grabbed.current = undefined;
    },
  });
  return { handlers, wasDragged: () => grabbed.current?.isMoved === true };
}
