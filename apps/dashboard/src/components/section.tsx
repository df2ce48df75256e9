import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiCall } from '../api-call.ts';
import { ExportLink, type ExportLinkProps } from './export-link.tsx';
import styles from './section.module.css';
import settingsGroupStyles from './settings-group.module.css';
import { ShowApiCall } from './show-api-call.tsx';

interface SectionProps {
  title: string;
  text: ReactNode;
  action?: ReactNode;
  /** The call that reads the list of this section. */
  apiCall?: ApiCall | undefined;
  /** The list as a file. */
  exported?: Omit<ExportLinkProps, 'of'>;
  children: ReactNode;
}

export function Section({ title, text, action, apiCall, exported, children }: SectionProps) {
  return (
    <section className={styles['section']}>
      <div className={styles['head']}>
        <div>
          <Title order={2}>{title}</Title>
          <div className={styles['text']}>{text}</div>
        </div>
        {apiCall || exported ? (
          <Group gap="xs">
            {apiCall ? <ShowApiCall call={apiCall} of={title} /> : null}
            {exported ? <ExportLink {...exported} of={title} /> : null}
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

interface SettingsGroupProps {
  title: string;
  text?: ReactNode;
  children: ReactNode;
}

/** A group of fields with its title and explanation beside it, or above it where the page is narrow. */
export function SettingsGroup({ title, text, children }: SettingsGroupProps) {
  return (
    <section className={settingsGroupStyles['group']} aria-label={title}>
      <div>
        <Title order={2} size="h3">
          {title}
        </Title>
        {text ? <div className={settingsGroupStyles['text']}>{text}</div> : null}
      </div>
      <div className={settingsGroupStyles['fields']}>{children}</div>
    </section>
  );
}

/** Two short fields beside each other, below each other where the page is narrow. */
export const FieldRow = ({ children }: { children: ReactNode }) => (
  <div className={settingsGroupStyles['row']}>{children}</div>
);
