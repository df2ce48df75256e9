import { useEffect, useRef, useState } from 'react';
import type { Interaction } from '../../../trpc.ts';
import { useChangeInteraction } from './use-interactions.ts';

export interface Times {
  showAtSeconds: number;
  hideAtSeconds: number | null;
}

interface Draft {
  interaction: Interaction;
  times: Times;
}

/** After the last arrow key, so that ten steps are one call. */
const pauseMs = 700;

/** The times of a bar while it is moved, and saving them afterwards. */
export function useSpanEdit() {
  const { mutate } = useChangeInteraction();
  const [draft, setDraft] = useState<Draft>();
  const latest = useRef<Draft>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const set = (next: Draft | undefined) => {
    latest.current = next;
    setDraft(next);
  };
  const save = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const saved = latest.current;
    if (!saved) return;
    const { interaction, times } = saved;
    if (isSame(interaction, times)) return set(undefined);
    // The list is loaded again before the draft goes, so that the bar does not jump back.
    mutate(
      { interaction, changes: times },
      { onSettled: () => (latest.current === saved ? set(undefined) : undefined) },
    );
  };
  /** Shows new times without saving them. Saves those of another bar first. */
  const move = (interaction: Interaction, times: Times) => {
    if (latest.current && latest.current.interaction.id !== interaction.id) save();
    set({ interaction, times });
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
  return { timesOf, movedId: draft?.interaction.id, move, step, save };
}

const isSame = (one: Times, other: Times): boolean =>
  one.showAtSeconds === other.showAtSeconds && one.hideAtSeconds === other.hideAtSeconds;
