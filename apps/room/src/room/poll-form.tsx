import { useId, useRef, useState } from 'react';
import { useTexts } from '../page/texts.tsx';
import { CheckIcon } from './icons.tsx';
import type { Interaction, PollResults } from './protocol.ts';
import { useRoom } from './room-context.ts';
import styles from './poll-form.module.css';

/** The options of a poll, or its results once this attendee has answered and may see them. */
export function PollForm({ poll, onAnswered }: { poll: Interaction; onAnswered: () => void }) {
  const { room, session } = useRoom();
  const texts = useTexts().room.poll;
  const elementRef = useRef<HTMLDivElement>(null);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const answered = poll.answered ?? [];
  const results = room.results[poll.id];
  const maySee = poll.results === 'live' || (poll.results === 'after_vote' && answered.length > 0);
  const mayTryAgain = refusal !== undefined && refusal !== 'poll_answered';
  // Several options are sent one after the other, so some of them may have arrived.
  const isOpen = answered.length === 0 || isSending || mayTryAgain;

  const vote = async (optionIds: readonly string[]): Promise<void> => {
    if (isSending) return;
    setSending(true);
    setRefusal(undefined);
    let code: string | undefined;
    for (const optionId of optionIds) code ??= await session.vote(poll.id, optionId);
    setSending(false);
    setRefusal(code);
    // The form with the focus is replaced by the results.
    if (code === undefined && elementRef.current?.contains(document.activeElement))
      elementRef.current.focus({ preventScroll: true });
    if (code === undefined || code === 'poll_answered') onAnswered();
  };

  return (
    <div ref={elementRef} className={styles['poll']} tabIndex={-1}>
      {isOpen ? (
        <Options
          poll={poll}
          results={maySee ? results : undefined}
          isSending={isSending}
          onVote={(optionIds) => void vote(optionIds)}
        />
      ) : maySee && results ? (
        <Results poll={poll} results={results} answered={answered} />
      ) : (
        <p className={styles['thanks']}>{texts.thanks}</p>
      )}
      <p className={styles['problem']} role="status">
        {refusal !== undefined && problemText(refusal, texts)}
      </p>
    </div>
  );
}

function problemText(code: string, texts: ReturnType<typeof useTexts>['room']['poll']): string {
  if (code === 'poll_answered') return texts.answered;
  return code === 'session_not_live' ? texts.closed : texts.failed;
}

interface OptionsProps {
  poll: Interaction;
  /** Shown beside the options while the poll runs, if its results are live. */
  results: PollResults | undefined;
  isSending: boolean;
  onVote(optionIds: readonly string[]): void;
}

function Options({ poll, results, isSending, onVote }: OptionsProps) {
  const texts = useTexts().room.poll;
  const name = useId();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { multiple = false, options = [] } = poll;
  const percents = percentsOf(results);

  const toggle = (optionId: string): void =>
    setChosen((ids) =>
      multiple
        ? ids.includes(optionId)
          ? ids.filter((one) => one !== optionId)
          : [...ids, optionId]
        : [optionId],
    );

  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        onVote(chosen);
      }}
    >
      <fieldset className={styles['options']}>
        <legend className={styles['legend']}>{multiple ? texts.chooseMore : texts.chooseOne}</legend>
        {options.map(({ id: optionId, label }) => (
          <label key={optionId} className={styles['option']}>
            <input
              type={multiple ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(optionId)}
              onChange={() => toggle(optionId)}
            />
            <span className={styles['label']}>{label}</span>
            {percents && <span className={styles['percent']}>{percents.get(optionId) ?? 0} %</span>}
          </label>
        ))}
      </fieldset>
      <button
        type="submit"
        className="button"
        disabled={chosen.length === 0}
        aria-disabled={isSending || undefined}
        aria-busy={isSending || undefined}
      >
        {texts.vote}
      </button>
    </form>
  );
}

interface ResultsProps {
  poll: Interaction;
  results: PollResults;
  answered: readonly string[];
}

function Results({ poll, results, answered }: ResultsProps) {
  const texts = useTexts().room.poll;
  const percents = percentsOf(results);
  const total = results.reduce((sum, { count }) => sum + count, 0);
  return (
    <div>
      <ul className={styles['results']}>
        {(poll.options ?? []).map(({ id, label }) => {
          const percent = percents?.get(id) ?? 0;
          const isOwn = answered.includes(id);
          return (
            <li key={id} className={styles['result']} data-own={isOwn} style={{ '--part': percent / 100 }}>
              <span className={styles['label']}>
                {label}
                {isOwn && (
                  <>
                    <CheckIcon size={16} />
                    <span className="visually-hidden">({texts.yours})</span>
                  </>
                )}
              </span>
              <span className={styles['percent']}>{percent} %</span>
            </li>
          );
        })}
      </ul>
      <p className={styles['total']}>{texts.answers(total)}</p>
    </div>
  );
}

/** Whole percents of all answers. */
function percentsOf(results: PollResults | undefined): ReadonlyMap<string, number> | undefined {
  if (!results) return undefined;
  const total = results.reduce((sum, { count }) => sum + count, 0);
  return new Map(
    results.map(({ optionId, count }) => [optionId, total === 0 ? 0 : Math.round((100 * count) / total)]),
  );
}
