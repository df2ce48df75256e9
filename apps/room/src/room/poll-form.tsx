import { useId, useState } from 'react';
import { useTexts } from '../page/texts.tsx';
import { CheckIcon } from './icons.tsx';
import type { Interaction, PollResults } from './protocol.ts';
import { useRoom } from './room-context.ts';
import styles from './poll-form.module.css';

/** The options of a poll, or its results once this attendee has answered and may see them. */
export function PollForm({ poll, onAnswered }: { poll: Interaction; onAnswered: () => void }) {
  const { room } = useRoom();
  const texts = useTexts().room.poll;
  const answered = poll.answered ?? [];
  const results = room.results[poll.id];
  const maySee = poll.results === 'live' || (poll.results === 'after_vote' && answered.length > 0);
  if (answered.length === 0)
    return <Options poll={poll} results={maySee ? results : undefined} onAnswered={onAnswered} />;
  if (maySee && results) return <Results poll={poll} results={results} answered={answered} />;
  return <p className={styles['thanks']}>{texts.thanks}</p>;
}

interface OptionsProps {
  poll: Interaction;
  /** Shown beside the options while the poll runs, if its results are live. */
  results: PollResults | undefined;
  onAnswered(): void;
}

function Options({ poll, results, onAnswered }: OptionsProps) {
  const { session } = useRoom();
  const texts = useTexts().room.poll;
  const name = useId();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const { id, multiple = false, options = [] } = poll;
  const percents = percentsOf(results);

  const toggle = (optionId: string): void =>
    setChosen((ids) =>
      multiple
        ? ids.includes(optionId)
          ? ids.filter((one) => one !== optionId)
          : [...ids, optionId]
        : [optionId],
    );
  const vote = async (): Promise<void> => {
    setProblem(undefined);
    for (const optionId of chosen) {
      const refusal = await session.vote(id, optionId);
      if (refusal !== undefined)
        return setProblem(refusal === 'poll_answered' ? texts.answered : texts.failed);
    }
    onAnswered();
  };

  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void vote();
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
      <button type="submit" className="button" disabled={chosen.length === 0}>
        {texts.vote}
      </button>
      {problem !== undefined && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
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
