import { useState } from 'react';
import { useTexts } from '../page/texts.tsx';
import { TimeChoice, type Slot } from '../page/time-choice.tsx';
import type { Zones } from '../page/session-time.tsx';
import styles from './change-session.module.css';

interface ChangeSessionProps {
  slots: readonly Slot[];
  durationSeconds: number;
  zones: Zones;
  failure: string | undefined;
  onSubmit: (sessionTime: string) => Promise<void>;
}

export function ChangeSession({ slots, durationSeconds, zones, failure, onSubmit }: ChangeSessionProps) {
  const { personal } = useTexts();
  const [chosen, setChosen] = useState<string>();
  const [isSending, setSending] = useState(false);
  const free = slots.filter(({ isFull }) => !isFull);
  const value = (free.find(({ startsAt }) => startsAt === chosen) ?? free[0])?.startsAt;

  async function submit(): Promise<void> {
    if (value === undefined || isSending) return;
    setSending(true);
    await onSubmit(value).finally(() => setSending(false));
  }

  return (
    <form
      className={styles['change']}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TimeChoice
        legend={personal.changeTitle}
        {...{ slots, durationSeconds, zones, value }}
        onChange={setChosen}
        problem={failure}
      />
      <button
        type="submit"
        className="button"
        disabled={value === undefined}
        aria-disabled={isSending || undefined}
        aria-busy={isSending || undefined}
      >
        {isSending && <span className="spinner" aria-hidden="true" />}
        {personal.changeSubmit}
      </button>
    </form>
  );
}
