import { Title } from '@mantine/core';
import type { Icon } from '@service/icons';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  children: ReactNode;
  /** Steps for the reader, in order. */
  steps?: readonly ReactNode[];
  action?: ReactNode;
}

/** Explains an empty list: its purpose and the first steps. */
export function EmptyState({ icon: Icon, title, children, steps, action }: EmptyStateProps) {
  return (
    <div className={styles['empty']}>
      <span className={styles['icon']} aria-hidden>
        <Icon size={20} stroke={1.6} />
      </span>
      <Title order={2} size="h3">
        {title}
      </Title>
      <div className={styles['text']}>{children}</div>
      {steps ? (
        <ol className={styles['steps']}>
          {steps.map((step, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- steps never move
            <li key={index}>
              <span>{step}</span>
            </li>
          ))}
        </ol>
      ) : null}
      {action ? <div className={styles['action']}>{action}</div> : null}
    </div>
  );
}
