import { Drawer, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { OpenButton, OpenRow } from '../../../components/open-row.tsx';
import { Section } from '../../../components/section.tsx';
import { Status } from '../../../components/status.tsx';
import { CutText, TableCard } from '../../../components/table-card.tsx';
import { focusContentIfLost } from '../../../focus.ts';
import type { Connection, DomainCheck } from '../../../trpc.ts';
import { checkStyles, subjectNames, useDomainOptions } from './domain-texts.ts';

const DomainDetails = lazy(async () => ({
  default: (await import('./domain-details.tsx')).DomainDetails,
}));

interface DomainsSectionProps {
  connections: readonly Connection[];
  /** The connection whose domain is open, from the URL. */
  openId: string | undefined;
  onOpen: (connectionId: string | undefined) => void;
}

/** The DNS records of the domains that e-mails come from. */
export function DomainsSection({ connections, openId, onOpen }: DomainsSectionProps) {
  // One request after the other: DNS may be slow, and a browser has few connections.
  const [settled, setSettled] = useState(0);
  const open = connections.find(({ id }) => id === openId);
  return (
    <Section
      title="Domains"
      text="The DNS records with which mail servers check your e-mails. A missing record stops nothing here, but your e-mails may be refused or put into spam."
    >
      <TableCard
        name="Domains"
        columns={['Domain', ...subjects.map((each) => subjectNames[each])]}
        minWidth={720}
      >
        {connections.map((connection, index) => (
          <DomainRow
            key={connection.id}
            connection={connection}
            isTurn={index <= settled}
            onSettled={() => setSettled((before) => Math.max(before, index + 1))}
            onOpen={() => onOpen(connection.id)}
          />
        ))}
      </TableCard>
      <Drawer
        opened={open !== undefined}
        onClose={() => onOpen(undefined)}
        title={open ? `DNS records of ${domainOf(open)}` : ''}
        onExitTransitionEnd={focusContentIfLost}
      >
        <Suspense fallback={<Skeleton height={320} aria-busy />}>
          {open ? <DomainDetails connection={open} /> : null}
        </Suspense>
      </Drawer>
    </Section>
  );
}

const subjects: readonly DomainCheck['subject'][] = ['spf', 'dkim', 'return_path', 'dmarc', 'mx'];

const domainOf = ({ settings }: Connection): string => settings.from!.address.replace(/^.*@/, '');

interface DomainRowProps {
  connection: Connection;
  isTurn: boolean;
  onSettled: () => void;
  onOpen: () => void;
}

function DomainRow({ connection, isTurn, onSettled, onOpen }: DomainRowProps) {
  const { data, error } = useQuery({ ...useDomainOptions(connection.id), enabled: isTurn });
  const isSettled = data !== undefined || error !== null;
  useEffect(() => {
    if (isSettled) onSettled();
    // oxlint-disable-next-line react/exhaustive-deps -- the callback is a new one in each render
  }, [isSettled]);
  const checks = data?.data.checks;
  return (
    <OpenRow>
      <Table.Td maw={260}>
        <OpenButton onClick={onOpen} style={{ maxWidth: '100%' }}>
          <CutText text={domainOf(connection)} />
        </OpenButton>
        <CutText text={connection.name} isSmall />
      </Table.Td>
      {checks?.length === 0 || (error && !checks) ? (
        <Table.Td colSpan={subjects.length}>
          <Text inherit c="dimmed">
            {error ? 'DNS was not asked.' : 'Nothing to check.'}
          </Text>
        </Table.Td>
      ) : (
        subjects.map((subject) => {
          const state = checks?.find((check) => check.subject === subject)?.state;
          return (
            <Table.Td key={subject}>
              {checks ? (
                <Status {...checkStyles[state ?? 'not_needed']} />
              ) : (
                <Skeleton height={10} width={64} aria-busy />
              )}
            </Table.Td>
          );
        })
      )}
    </OpenRow>
  );
}
