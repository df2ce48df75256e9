import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  text: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, text, action, children }: SectionProps) {
  return (
    <section className={styles['section']}>
      <div className={styles['head']}>
        <div>
          <Title order={2}>{title}</Title>
          <div className={styles['text']}>{text}</div>
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
