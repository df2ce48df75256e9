import { IconAlertTriangle } from '@service/icons';
import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { formatRange } from '../../../time-text.ts';
import type { Interaction } from '../../../trpc.ts';
import { typeLooks } from './interaction-texts.ts';
import styles from './interactions.module.css';
import { endAt, moveTo, stepOf, type Placed, type Scale, type Times } from './spans.ts';
import type { SpanEdit } from './use-span-edit.ts';

interface AxisBarProps {
  interaction: Interaction;
  times: Times;
  placed: Placed;
  scale: Scale;
  edit: SpanEdit;
  /** The bar that the Tab key reaches. */
  isStop: boolean;
  /** "Everyone" */
  audience: string;
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

export function AxisBar({
  interaction,
  times,
  placed,
  edit,
  isStop,
  audience,
  warnings,
  ...props
}: AxisBarProps) {
  const { scale, onFocus, onOpen } = props;
  const { icon: Icon, word, tone } = typeLooks[interaction.type];
  const { durationSeconds } = scale;
  const drag = useDrag({ scale, edit, interaction, times });
  const range = formatRange(times.showAtSeconds, times.hideAtSeconds);
  const text = [
    `${word} ${interaction.internalName}, ${range}`,
    ...(interaction.showWhen.length === 0 ? [] : [audience]),
    ...(interaction.enabled ? [] : ['off']),
    ...warnings,
  ].join(', ');
  const end = times.hideAtSeconds ?? durationSeconds;

  const onKey = (from: number, timesAt: (seconds: number) => Times) => (event: KeyboardEvent) => {
    const step = stepOf(event);
    const to = step === undefined ? { Home: 0, End: durationSeconds }[event.key] : from + step;
    if (to === undefined) return;
    event.preventDefault();
    edit.step(interaction, timesAt(to));
  };
  const shared = { tabIndex: isStop ? 0 : -1, onFocus, onBlur: edit.save };

  return (
    <div
      className={styles['bar']}
      style={{ left: placed.leftPx, width: placed.widthPx, '--lane': placed.lane, '--tone': tone }}
      data-off={interaction.enabled ? undefined : true}
      data-open={times.hideAtSeconds === null || undefined}
    >
      <span
        className={styles['colored']}
        style={{ left: placed.colored.leftPx, width: placed.colored.widthPx }}
        aria-hidden
      />
      <button
        type="button"
        className={styles['body']}
        data-bar={interaction.id}
        aria-label={text}
        title={text}
        {...shared}
        onKeyDown={onKey(times.showAtSeconds, (start) => moveTo(times, start, durationSeconds))}
        onClick={() => (drag.wasDragged() ? undefined : onOpen())}
        {...drag.handlers((bySeconds, { times: grabbed }) =>
          moveTo(grabbed, grabbed.showAtSeconds + bySeconds, durationSeconds),
        )}
      >
        {warnings.length > 0 ? <IconAlertTriangle size={14} aria-hidden /> : <Icon size={14} aria-hidden />}
        {placed.widthPx < nameMinPx ? null : (
          <span className={styles['bar-name']}>{interaction.internalName}</span>
        )}
      </button>
      {placed.widthPx < endMinPx ? null : (
        <button
          type="button"
          className={styles['end']}
          aria-label={`End of ${interaction.internalName}, ${range}`}
          {...shared}
          onKeyDown={onKey(end, (to) => endAt(times, to, durationSeconds))}
          {...drag.handlers((bySeconds, { times: grabbed, endSeconds }) =>
            endAt(grabbed, endSeconds + bySeconds, durationSeconds),
          )}
        />
      )}
    </div>
  );
}

type DragParts = Pick<AxisBarProps, 'scale' | 'edit' | 'interaction' | 'times'>;

interface Grabbed {
  x: number;
  times: Times;
  endSeconds: number;
  isMoved: boolean;
}

/** Moves by the pointer. The change is counted from the place where the bar was grabbed. */
function useDrag({ scale, edit, interaction, times }: DragParts) {
  const grabbed = useRef<Grabbed>(undefined);
  const secondsAt = (px: number): number => (px / scale.widthPx) * scale.durationSeconds;
  const handlers = (timesAfter: (bySeconds: number, grabbed: Grabbed) => Times) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const endSeconds = times.hideAtSeconds ?? scale.durationSeconds;
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
