import { surfaces, type Surface } from '@service/catalogue';
import type { ReactNode } from 'react';
import type { Connection, Webinar } from '../trpc.ts';
import styles from './status.module.css';
import tagStyles from './surface-tags.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

export interface StatusStyle {
  tone: Tone;
  /** An outline instead of a full dot: nothing was sent yet, or nothing will be. */
  isHollow?: boolean;
  /** In progress. */
  isMoving?: boolean;
}

/** A state with its word. */
export interface WordStyle extends StatusStyle {
  word: string;
}

interface StatusProps extends StatusStyle {
  /** Instead of children. */
  word?: string;
  children?: ReactNode;
  isPill?: boolean;
}

/** A coloured dot with a word; colour never carries the meaning alone. */
export function Status({ word, children = word, isPill = true, ...style }: StatusProps) {
  return (
    <span className={`${classOf(style)} ${isPill ? styles['pill'] : ''}`}>
      <span className={styles['dot']} aria-hidden />
      {children}
    </span>
  );
}

interface StatusButtonProps extends StatusStyle {
  children: ReactNode;
  label: string;
  onClick: () => void;
}

export function StatusButton({ children, label, onClick, ...style }: StatusButtonProps) {
  return (
    <button
      type="button"
      className={`${classOf(style)} ${styles['pill']} ${styles['button']}`}
      aria-label={label}
      onClick={onClick}
    >
      <span className={styles['dot']} aria-hidden />
      {children}
    </button>
  );
}

const classOf = ({ tone, isHollow, isMoving }: StatusStyle): string =>
  [styles['status'], styles[tone], isHollow && styles['hollow'], isMoving && styles['moving']]
    .filter(Boolean)
    .join(' ');

export function SurfaceTags({ surfaces: ids }: { surfaces: readonly Surface[] }) {
  return (
    <span className={tagStyles['tags']}>
      {ids.map((id) => (
        <span key={id} className={tagStyles['tag']} title={surfaces[id].label}>
          {surfaces[id].tag}
        </span>
      ))}
    </span>
  );
}

export const webinarStyles: Record<Webinar['status'], WordStyle> = {
  draft: { tone: 'quiet', isHollow: true, word: 'Draft' },
  published: { tone: 'good', word: 'Published' },
  archived: { tone: 'quiet', word: 'Archived' },
};

export const WebinarStatus = ({ status }: { status: Webinar['status'] }) => (
  <Status {...webinarStyles[status]} />
);

const connectionStyles: Record<Connection['state'], WordStyle> = {
  connected: { tone: 'good', word: 'Connected' },
  failing: { tone: 'warn', isMoving: true, word: 'Failing' },
  disconnected: { tone: 'bad', word: 'Disconnected' },
  attention: { tone: 'warn', word: 'Needs attention' },
  paused: { tone: 'quiet', isHollow: true, word: 'Paused' },
};

export const ConnectionStatus = ({ state }: Pick<Connection, 'state'>) => (
  <Status {...connectionStyles[state]} />
);
