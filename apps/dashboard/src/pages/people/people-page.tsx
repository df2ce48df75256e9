import { Button, Table, Text } from '@mantine/core';
import { IconSearchOff, IconUsers } from '@service/icons';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { ExportLink } from '../../components/export-link.tsx';
import { FilterBar, SearchFilter } from '../../components/filter-bar.tsx';
import { ListResult, LoadMore } from '../../components/load-more.tsx';
import openRow from '../../components/open-row.module.css';
import { OpenRow } from '../../components/open-row.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { AmountHead, CutText, TableCard } from '../../components/table-card.tsx';
import { formatCount } from '../../format.ts';
import { usePaged } from '../../paged.ts';
import { useTRPC, useTRPCClient, type PersonSummary } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';

const route = getRouteApi('/w/$workspaceId/people');

/** Registrations of one person that are counted. */
const countedMax = 1000;

/** Everyone who ever registered, once for each e-mail address. */
export function PeoplePage() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const search = (change: string | undefined) => void navigate({ search: { q: change }, replace: true });
  const people = usePaged<PersonSummary>({
    queryKey: [...trpc.people.list.queryKey(), 'paged', q],
    fetchPage: (page, signal) => client.people.list.query({ ...page, ...(q && { q }) }, { signal }),
  });
  const { items, error, hasNextPage } = people;
  return (
    <Page
      title="People"
      actions={items?.length === 0 ? null : <ExportLink list="people" input={{ q }} of="People" />}
      description="Everyone who registered for a webinar, once for each e-mail address, the latest first."
    >
      <FilterBar>
        <SearchFilter label="Name or e-mail" placeholder="Beginning of a word" value={q} onChange={search} />
      </FilterBar>
      <ListResult
        items={items?.length === 0 && hasNextPage ? undefined : items}
        error={error}
        refetch={people.refetch}
        empty={
          q === undefined ? (
            <EmptyState icon={IconUsers} title="No registrations yet">
              People appear here with their first registration for any webinar of this workspace.
            </EmptyState>
          ) : (
            <EmptyState
              icon={IconSearchOff}
              title="No person matches"
              action={
                <Button variant="default" onClick={() => search(undefined)}>
                  Clear the search
                </Button>
              }
            >
              A search finds the beginnings of words in the e-mail address and in the name of the newest
              registration.
            </EmptyState>
          )
        }
      >
        <TableCard
          name="People"
          columns={[
            'Person',
            <AmountHead key="registrations">Registrations</AmountHead>,
            <AmountHead key="attended">Attended</AmountHead>,
            'Last registered',
          ]}
          minWidth={560}
          rows={items}
          renderRow={(person) => <PersonRow key={person.id} person={person} />}
          onVisibleRows={people.onVisibleRows}
        />
      </ListResult>
      <LoadMore {...people} />
    </Page>
  );
}

function PersonRow({
  person: { id, name, email, registrations, attended, registeredAt },
}: {
  person: PersonSummary;
}) {
  return (
    <OpenRow>
      <Table.Td maw={320}>
        <WorkspaceLink
          className={openRow['open']}
          to="/w/$workspaceId/people/$registrationId"
          params={{ registrationId: id }}
        >
          <Text span inherit truncate display="block" title={name}>
            {name}
          </Text>
        </WorkspaceLink>
        <CutText text={email} isSmall />
      </Table.Td>
      <Table.Td ta="right">
        {registrations >= countedMax ? `${formatCount(countedMax)} or more` : formatCount(registrations)}
      </Table.Td>
      <Table.Td ta="right">{formatCount(attended)}</Table.Td>
      <Table.Td>
        <RelativeTime at={registeredAt} />
      </Table.Td>
    </OpenRow>
  );
}
