import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, useState, type ReactNode } from 'react';
import { CopyAction } from '../../components/copy.tsx';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LateModal } from '../../components/late-modal.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format.ts';
import { formatMoney } from '../../money.ts';
import { usePaged } from '../../paged.ts';
import { useTRPC, useTRPCClient, type Person, type PersonEvent } from '../../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../../workspace.ts';
import { DeliveryDrawer } from '../delivery/delivery-drawer.tsx';
import { EventList } from '../webinar/registrations/registration-timeline.tsx';
import { Skeletons } from '../webinar/skeletons.tsx';
import styles from './people.module.css';
import { totalsOf } from './person-texts.ts';
import { PersonRegistrations } from './person-registrations.tsx';

const ErasePerson = lazy(async () => ({
  default: (await import('../webinar/registrations/registration-dialogs.tsx')).ErasePerson,
}));

const route = getRouteApi('/w/$workspaceId/people/$registrationId');

/** Everything about one e-mail address over all webinars. The address of the page names a registration, not the e-mail address. */
export function PersonPage() {
  const trpc = useTRPC();
  const { registrationId } = route.useParams();
  const { data, error, refetch } = useQuery(trpc.people.get.queryOptions({ registrationId }));
  const back = (
    <Text size="sm" mb={6}>
      <WorkspaceLink to="/w/$workspaceId/people">People</WorkspaceLink>
    </Text>
  );
  if (!data) {
    return (
      <Page title="Person" above={back}>
        {error ? (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeletons parts={[[20, 220], [90], [240]]} />
        )}
      </Page>
    );
  }
  return <LoadedPerson person={data.data} above={back} />;
}

function LoadedPerson({ person, above }: { person: Person; above: ReactNode }) {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const { registrationId } = route.useParams();
  const { delivery } = route.useSearch();
  const navigate = route.useNavigate();
  const [isErasing, setErasing] = useState(false);
  const show = (shown: string | undefined) => void navigate({ search: { delivery: shown } });
  const { email, names, registrations, isMore } = person;
  const [name = email, ...otherNames] = names;
  const events = usePaged<PersonEvent>({
    queryKey: [...trpc.people.events.queryKey({ registrationId }), 'paged'],
    fetchPage: (page, signal) => client.people.events.query({ registrationId, ...page }, { signal }),
  });
  const webinars = new Map(registrations.map((one) => [one.webinarId, one]));
  const { attended, revenue } = totalsOf(registrations);
  const shown = isMore
    ? `The newest ${formatCount(registrations.length)}`
    : formatCount(registrations.length);
  return (
    <Page
      title={name}
      above={above}
      actions={
        workspace.role === 'owner' ? (
          <Button variant="default" c="var(--tone-bad)" onClick={() => setErasing(true)}>
            Erase this person…
          </Button>
        ) : null
      }
    >
      <div className={styles['facts']}>
        <Facts
          facts={[
            [
              'E-mail',
              <span key="email">
                {email} <CopyAction text={email} label="Copy e-mail address" />
              </span>,
            ],
            ['Other names', otherNames.join(', ') || null],
            ['Phone', registrations.find(({ phone }) => phone)?.phone ?? null],
            ['Registrations', shown],
            ['Attended', formatCount(attended)],
            [
              'Revenue',
              <WorkspaceLink key="revenue" to="/w/$workspaceId/revenue" search={{ tab: 'events', email }}>
                {revenue.map((one) => formatMoney(one.netMinor, one.currency)).join(', ') ||
                  'No purchase is credited'}
              </WorkspaceLink>,
            ],
          ]}
        />
      </div>
      <Section
        title="Registrations"
        text="Newest first. The strip shows the parts of the video that were watched."
      >
        <PersonRegistrations registrations={registrations} onShowDelivery={show} />
      </Section>
      <Section title="Timeline" text="Everything that happened in all webinars, newest first.">
        {events.error && !events.items ? (
          <FailureNotice error={events.error} onRetry={() => void events.refetch()} />
        ) : (
          <EventList
            events={events.items}
            noteOf={({ webinarId }) => webinars.get(webinarId)?.webinarTitle}
            zoneOf={({ webinarId }) => webinars.get(webinarId)?.timezone}
          />
        )}
        <LoadMore {...events} />
      </Section>
      <DeliveryDrawer deliveryId={delivery} onClose={() => show(undefined)} onShow={show} />
      <LateModal opened={isErasing} onClose={() => setErasing(false)} title="Erase this person" height={420}>
        <ErasePerson
          registration={{ name, email }}
          onClose={() => setErasing(false)}
          onDone={() => void navigate({ to: '/w/$workspaceId/people', search: {} })}
        />
      </LateModal>
    </Page>
  );
}
