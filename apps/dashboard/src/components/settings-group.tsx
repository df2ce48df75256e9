import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './settings-group.module.css';

interface SettingsGroupProps {
  title: string;
  text?: ReactNode;
  children: ReactNode;
}

/** A group of fields with its title and explanation beside it, or above it where the page is narrow. */
export function SettingsGroup({ title, text, children }: SettingsGroupProps) {
  return (
    <section className={styles['group']} aria-label={title}>
      <div>
        <Title order={2} size="h3">
          {title}
        </Title>
        {text ? <div className={styles['text']}>{text}</div> : null}
      </div>
      <div className={styles['fields']}>{children}</div>
    </section>
  );
}

/** Two short fields beside each other, below each other where the page is narrow. */
export const FieldRow = ({ children }: { children: ReactNode }) => (
  <div className={styles['row']}>{children}</div>
);
