import type { WebinarPage } from '@service/attendees';
import { IconBolt, IconPlayerPlayFilled } from '@service/icons';
import { useState } from 'react';
import { useNow } from './clock.ts';
import { SessionTime, SessionTimeText, type Zones } from './session-time.tsx';
import styles from './time-choice.module.css';
import { useTexts } from './texts.tsx';
import { formatWait } from './time-text.ts';

export type Slot = WebinarPage['slots'][number];

interface TimeChoiceProps {
  legend: string;
  slots: readonly Slot[];
  durationSeconds: number;
  zones: Zones;
  value: string | undefined;
  onChange: (startsAt: string) => void;
  problem?: string | undefined;
}

/** More than these are shown when somebody asks for them. */
const shownMax = 3;

/** The offered times as radio buttons. */
export function TimeChoice({
  legend,
  slots,
  durationSeconds,
  zones,
  value,
  onChange,
  problem,
}: TimeChoiceProps) {
  const { times } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? slots : slots.filter((slot, index) => index < shownMax || slot.startsAt === value);
  const hidden = slots.length - shown.length;
  const next = slots.find(({ kind }) => kind !== 'on_demand');
  return (
    <fieldset aria-describedby={problem === undefined ? undefined : 'sessionTime-problem'}>
      <legend className={slots.length > 1 ? styles['legend'] : 'visually-hidden'}>{legend}</legend>
      <div className={styles['slots']}>
        {shown.map((slot) => (
          <label key={slot.startsAt} className={styles['slot']} data-full={slot.isFull || undefined}>
            <input
              type="radio"
              name="sessionTime"
              value={slot.startsAt}
              checked={slot.startsAt === value}
              disabled={slot.isFull}
              aria-invalid={problem === undefined ? undefined : true}
              onChange={() => onChange(slot.startsAt)}
            />
            <SlotText slot={slot} isNext={slot === next} durationSeconds={durationSeconds} zones={zones} />
            {slot.isFull ? (
              <span className={styles['full']}>{times.full}</span>
            ) : (
              slots.length > 1 && <span className={styles['dot']} aria-hidden="true" />
            )}
          </label>
        ))}
      </div>
      {hidden > 0 && (
        <button type="button" className={`text-button ${styles['more']}`} onClick={() => setOpen(true)}>
          {times.more(hidden)}
        </button>
      )}
      {problem !== undefined && (
        <p id="sessionTime-problem" className={styles['problem']}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface SlotTextProps extends Pick<TimeChoiceProps, 'durationSeconds' | 'zones'> {
  slot: Slot;
  isNext: boolean;
}

function SlotText({ slot, isNext, durationSeconds, zones }: SlotTextProps) {
  const { times } = useTexts();
  const { startsAt, kind } = slot;
  if (kind === 'on_demand')
    return (
      <span className={styles['soon']}>
        <span className={styles['icon']} aria-hidden="true">
          <IconPlayerPlayFilled size={20} />
        </span>
        <span className={styles['texts']}>
          <span className={styles['title']}>{times.onDemand}</span>
          <span className={styles['note']}>{times.onDemandNote}</span>
        </span>
      </span>
    );
  // The others begin too late to wait for them.
  if (kind === 'just_in_time' && isNext)
    return (
      <span className={styles['soon']}>
        <span className={styles['icon']} aria-hidden="true">
          <IconBolt size={22} />
        </span>
        <SessionTimeText {...{ startsAt, durationSeconds, zones }}>
          <span className={styles['title']}>
            <Wait until={Date.parse(startsAt)} />
          </span>
        </SessionTimeText>
      </span>
    );
  return <SessionTime {...{ startsAt, durationSeconds, zones }} />;
}

function Wait({ until }: { until: number }) {
  const { times } = useTexts();
  return <>{times.justInTime(formatWait(until - useNow()))}</>;
}
