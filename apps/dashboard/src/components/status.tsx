import type { ReactNode } from 'react';
import styles from './status.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

export interface StatusStyle {
  tone: Tone;
  /** An outline instead of a full dot: nothing was sent yet, or nothing will be. */
  isHollow?: boolean;
  /** In progress. */
  isMoving?: boolean;
}

interface StatusProps extends StatusStyle {
  children: ReactNode;
  isPill?: boolean;
}

/** A coloured dot with a word; colour never carries the meaning alone. */
export function Status({ children, isPill = true, ...style }: StatusProps) {
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
