import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '../page/texts.tsx';
import { isPromptDue, mustTakeDefault, promptOf } from './branch-choice.ts';
import { useRoom } from './room-context.ts';
import styles from './branch-prompt.module.css';

interface BranchPromptCardProps {
  positionSeconds: number;
  /** Reports the seconds of the segment that the viewer leaves. */
  onBeforeMove(): void;
}

/** Asks the viewer of an adaptive webinar how to continue. */
export function BranchPromptCard({ positionSeconds, onBeforeMove }: BranchPromptCardProps) {
  const { room, session } = useRoom();
  const texts = useTexts().room.branch;
  const { path } = room;
  const isDue = path !== null && isPromptDue(path, positionSeconds);
  const timer = useTimer(isDue ? path.segmentId : undefined);
  const [takenFrom, setTakenFrom] = useState<string>();
  const [failures, setFailures] = useState(0);
  const prompt = path ? promptOf(path, { positionSeconds, ...timer }) : undefined;
  const isTaken = takenFrom !== undefined && takenFrom === path?.segmentId;

  const take = async (branchId: string): Promise<void> => {
    if (isTaken || !path) return;
    setTakenFrom(path.segmentId);
    onBeforeMove();
    const isMoved = await session.takeBranch(branchId);
    setFailures(isMoved ? 0 : failures + 1);
    setTakenFrom(undefined);
  };

  const isOver = path !== null && prompt !== undefined && mustTakeDefault(path, prompt);
  const takeDefault = useEffectEvent(() => {
    if (prompt?.defaultBranchId) void take(prompt.defaultBranchId);
  });
  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setTimeout(() => takeDefault(), defaultWaitMs(failures));
    return () => clearTimeout(timer);
  }, [isOver, failures]);

  if (!prompt) return null;
  return (
    <section className={styles['prompt']} aria-label={texts.label} aria-live="polite">
      <div className={styles['inside']}>
        <h2 className={styles['title']}>{prompt.text ?? texts.label}</h2>
        <div className={styles['choices']}>
          {prompt.choices.map(({ branchId, label }) => (
            <button
              key={branchId}
              type="button"
              className={styles['choice']}
              disabled={isTaken}
              onClick={() => void take(branchId)}
            >
              {label}
            </button>
          ))}
        </div>
        <p className={styles['timer']} role="timer">
          {isTaken ? texts.taking : texts.timer(prompt.secondsLeft)}
        </p>
        <span className={styles['track']} aria-hidden>
          <span style={{ '--part': prompt.secondsLeft / prompt.totalSeconds }} />
        </span>
      </div>
    </section>
  );
}

/** The wait before the default branch is taken: none at first, and a longer one after each failure. */
const defaultWaitMs = (failures: number): number =>
  failures === 0 ? 0 : Math.min(1000 * 2 ** failures, 15_000) * (0.5 + Math.random() / 2);

/** When the prompt of a segment opened on this page, and the present. */
function useTimer(segmentId: string | undefined): { openedAtMs: number | undefined; nowMs: number } {
  const [times, setTimes] = useState<{ segmentId: string; openedAtMs: number; nowMs: number }>();
  useEffect(() => {
    if (segmentId === undefined) return undefined;
    const openedAtMs = performance.now();
    const timer = setInterval(() => setTimes({ segmentId, openedAtMs, nowMs: performance.now() }), 250);
    return () => clearInterval(timer);
  }, [segmentId]);
  return times !== undefined && times.segmentId === segmentId ? times : { openedAtMs: undefined, nowMs: 0 };
}
