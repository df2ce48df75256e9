import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiCall } from '../api-call.ts';
import { ShowApiCall } from './show-api-call.tsx';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  text: ReactNode;
  action?: ReactNode;
  /** The call that reads the list of this section. */
  apiCall?: ApiCall | undefined;
  children: ReactNode;
}

export function Section({ title, text, action, apiCall, children }: SectionProps) {
  return (
    <section className={styles['section']}>
      <div className={styles['head']}>
        <div>
          <Title order={2}>{title}</Title>
          <div className={styles['text']}>{text}</div>
        </div>
        {apiCall ? (
          <Group gap="xs">
            <ShowApiCall call={apiCall} of={title} />
            {action}
          </Group>
        ) : (
          action
        )}
      </div>
      {children}
    </section>
  );
}
