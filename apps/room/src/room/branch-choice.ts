// The choice at the end of a segment of an adaptive webinar, with its timer and the default branch.
import type { PathState } from './protocol.ts';

export interface BranchPrompt {
  choices: PathState['choices'];
  text: string | null;
  defaultBranchId: string | null;
  /** Seconds until the timer ends. */
  secondsLeft: number;
  totalSeconds: number;
}

interface Moment {
  positionSeconds: number;
  /** When this page opened the prompt, by a clock that never goes back. Undefined before. */
  openedAtMs: number | undefined;
  nowMs: number;
}

/** True from the time of the first prompt, and after the end of the segment. */
export function isPromptDue({ choices, inTransition }: PathState, positionSeconds: number): boolean {
  if (choices.length === 0) return false;
  return (
    inTransition ||
    choices.some(({ promptAtSeconds }) => promptAtSeconds !== null && promptAtSeconds <= positionSeconds)
  );
}

/** The prompt to show. Undefined while there is nothing to choose. */
export function promptOf(path: PathState, moment: Moment): BranchPrompt | undefined {
  if (!isPromptDue(path, moment.positionSeconds)) return undefined;
  const totalSeconds = Math.max(...path.choices.map(({ timeoutSeconds }) => timeoutSeconds));
  const passedMs = moment.openedAtMs === undefined ? 0 : moment.nowMs - moment.openedAtMs;
  return {
    choices: path.choices,
    text: path.choices.find(({ promptText }) => promptText !== null)?.promptText ?? null,
    defaultBranchId: path.defaultBranchId,
    secondsLeft: Math.max(0, Math.ceil(totalSeconds - passedMs / 1000)),
    totalSeconds,
  };
}

/** The service takes a default only after the end of the segment. Until then the viewer may still choose. */
export const mustTakeDefault = ({ inTransition }: PathState, prompt: BranchPrompt): boolean =>
  inTransition && prompt.secondsLeft === 0 && prompt.defaultBranchId !== null;
