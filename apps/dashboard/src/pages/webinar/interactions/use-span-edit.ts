import { useEffect, useRef, useState } from 'react';
import { currentOf } from '../../../failure.ts';
import type { EditConflictProps } from '../../../record-form/edit-conflict.tsx';
import { savedOf } from '../../../record-form/edits.ts';
import type { Interaction } from '../../../trpc.ts';
import type { Times } from './spans.ts';
import { useChangeInteraction } from './use-change-interaction.ts';

interface Draft {
  /** As it was when the bar was first moved. */
  interaction: Interaction;
  times: Times;
}

/** After the last arrow key, so that ten steps are one call. */
const pauseMs = 700;

/** The times of a bar while it is moved, and saving them afterwards. */
export function useSpanEdit() {
  const { mutate } = useChangeInteraction();
  const [draft, setDraft] = useState<Draft>();
  const [conflict, setConflict] = useState<Omit<EditConflictProps<Times>, 'labels' | 'describe'>>();
  const latest = useRef<Draft>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const set = (next: Draft | undefined) => {
    latest.current = next;
    setDraft(next);
  };
  const send = (saved: Draft) =>
    mutate(
      { interaction: saved.interaction, changes: saved.times },
      {
        onError: (error) => {
          const current = currentOf(error) as Interaction | undefined;
          if (!current) return;
          setConflict({
            base: timesIn(saved.interaction),
            mine: saved.times,
            theirs: timesIn(current),
            saved: savedOf(current),
            onResolve: (times) =>
              isSame(times, current) ? undefined : send({ interaction: current, times }),
            onClose: () => setConflict(undefined),
          });
        },
        // The list is loaded again before the draft goes, so that the bar does not jump back.
        onSettled: () => (latest.current === saved ? set(undefined) : undefined),
      },
    );
  const save = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const saved = latest.current;
    if (!saved) return;
    if (isSame(saved.interaction, saved.times)) return set(undefined);
    send(saved);
  };
  /** Shows new times without saving them. Saves those of another bar first. */
  const move = (interaction: Interaction, times: Times) => {
    const before = latest.current;
    const isOther = before !== undefined && before.interaction.id !== interaction.id;
    if (isOther) save();
    set({ interaction: before && !isOther ? before.interaction : interaction, times });
  };
  const step = (interaction: Interaction, times: Times) => {
    move(interaction, times);
    clearTimeout(timer.current);
    timer.current = setTimeout(save, pauseMs);
  };

  const saveNow = useRef(save);
  useEffect(() => {
    saveNow.current = save;
  });
  useEffect(
    () => () => {
      if (timer.current !== undefined) saveNow.current();
    },
    [],
  );

  const timesOf = (interaction: Interaction): Times =>
    draft?.interaction.id === interaction.id ? draft.times : interaction;
  return { timesOf, movedId: draft?.interaction.id, move, step, save, conflict };
}

export type SpanEdit = ReturnType<typeof useSpanEdit>;

const timesIn = ({ showAtSeconds, hideAtSeconds }: Times): Times => ({ showAtSeconds, hideAtSeconds });

const isSame = (one: Times, other: Times): boolean =>
  one.showAtSeconds === other.showAtSeconds && one.hideAtSeconds === other.hideAtSeconds;
