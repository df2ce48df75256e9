import type { ConditionNames } from '@service/conditions';
import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { lazy, Suspense, useId, useState, type KeyboardEvent } from 'react';
import { formatPosition, formatRange } from '../../../time-text.ts';
import type { Interaction } from '../../../trpc.ts';
import { AxisBar } from './axis-bar.tsx';
import { audienceText } from './interaction-texts.ts';
import styles from './interactions.module.css';
import { packLanes, pxAt, ticksOf, type Times } from './spans.ts';
import { useSpanEdit } from './use-span-edit.ts';

// Loaded at the first conflict, which few people see.
const EditConflict = lazy(async () => {
  const { EditConflict: component } = await import('../../../record-form/edit-conflict.tsx');
  return { default: component<Times> };
});

interface AxisProps {
  /** Those of one video. */
  interactions: readonly Interaction[];
  durationSeconds: number;
  /** For the conditions. */
  names: ConditionNames;
  warnings: ReadonlyMap<string, readonly string[]>;
  onOpen: (id: string) => void;
}

/** Before the width is measured. */
const guessedPx = 960;

/** The text of a mark this close to the end of the axis is to the left of the mark. */
const lastTickPx = 24;

/**
 * The interactions along the length of the video. One tab stop: up and down go from bar to bar, left and right move the bar. The
 * table below it has the same content as text.
 */
export function Axis({ interactions, durationSeconds, names, warnings, onOpen }: AxisProps) {
  const { ref, width } = useElementSize();
  const hintId = useId();
  const [focusedId, setFocusedId] = useState<string>();
  const edit = useSpanEdit();
  const scale = { widthPx: width || guessedPx, durationSeconds };
  const spans = interactions.map((one) => ({ ...edit.timesOf(one), id: one.id }));
  const placed = packLanes(spans, scale);
  const lanes = Math.max(0, ...[...placed.values()].map(({ lane }) => lane)) + 1;
  const stop = interactions.find(({ id }) => id === focusedId)?.id ?? interactions[0]?.id;
  const moved = interactions.find(({ id }) => id === edit.movedId);

  const focusNext = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const next = step && interactions[interactions.findIndex(({ id }) => id === stop) + step];
    if (!next) return;
    event.preventDefault();
    setFocusedId(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-bar="${next.id}"]`)?.focus();
  };

  return (
    <div className={styles['frame']}>
      <p id={hintId} className={styles['hint']}>
        Drag a bar to move it, and its right edge to change its end. Keys: left and right move by 1 s, with
        Shift by 10 s; up and down go to another bar; Enter opens it.
      </p>
      <div
        className={styles['scroll']}
        role="group"
        aria-label="Interactions along the video"
        aria-describedby={hintId}
        onKeyDown={focusNext}
      >
        <div ref={ref} className={styles['lanes']} style={{ '--lanes': lanes }}>
          {ticksOf(scale).map((seconds) => (
            <span
              key={seconds}
              className={styles['rule']}
              style={{ left: pxAt(seconds, scale) }}
              aria-hidden
            />
          ))}
          {interactions.map((interaction) => (
            <AxisBar
              key={interaction.id}
              interaction={interaction}
              times={edit.timesOf(interaction)}
              placed={placed.get(interaction.id)!}
              scale={scale}
              edit={edit}
              isStop={interaction.id === stop}
              audience={audienceText(interaction, names)}
              warnings={warnings.get(interaction.id) ?? []}
              onFocus={() => setFocusedId(interaction.id)}
              onOpen={() => onOpen(interaction.id)}
            />
          ))}
        </div>
      </div>
      <div className={styles['ticks']} aria-hidden>
        {ticksOf(scale).map((seconds) => (
          <span
            key={seconds}
            style={{ left: pxAt(seconds, scale) }}
            data-last={scale.widthPx - pxAt(seconds, scale) < lastTickPx || undefined}
          >
            {formatPosition(seconds)}
          </span>
        ))}
      </div>
      {edit.conflict ? (
        <Suspense>
          <EditConflict {...edit.conflict} labels={timeLabels} describe={describeTime} />
        </Suspense>
      ) : null}
      <VisuallyHidden role="status">
        {moved
          ? `${moved.internalName}: ${formatRange(edit.timesOf(moved).showAtSeconds, edit.timesOf(moved).hideAtSeconds)}`
          : ''}
      </VisuallyHidden>
    </div>
  );
}

const timeLabels = { showAtSeconds: 'Appears at', hideAtSeconds: 'Disappears at' };

const describeTime = (_path: string, seconds: unknown): string =>
  typeof seconds === 'number' ? formatPosition(seconds) : 'the end of the video';
