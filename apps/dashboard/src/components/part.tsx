import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a drawer with its heading. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={3} mb={8}>
      {title}
    </Title>
    {children}
  </section>
);
