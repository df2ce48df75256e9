import { Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values, one under the other. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** A part of a drawer with its heading. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={3} mb={8}>
      {title}
    </Title>
    {children}
  </section>
);
