import { Button, Group, Title, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import styles from './home.module.css';

interface Kept {
  isHidden?: boolean;
  /** The registration page was opened from here. */
  hasOpenedPage?: boolean;
}

/** The first steps of a new workspace. Each ticks itself. Hidden when all are done, or when the person hides it in this browser. */
export function Checklist() {
  const { workspace } = useWorkspace();
  const [kept, keep] = useLocalStorage<Kept>({
    key: `first-steps:${workspace.id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  return kept.isHidden ? null : <Steps kept={kept} keep={keep} />;
}

function Steps({ kept, keep }: { kept: Kept; keep: (kept: Kept) => void }) {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const params = { workspaceId: workspace.id };
  const isOwner = workspace.role === 'owner';
  const newest = useQuery(trpc.webinars.list.queryOptions({ limit: 1 })).data?.data;
  const published = useQuery(trpc.webinars.list.queryOptions({ limit: 1, status: 'published' })).data?.data;
  const people = useQuery(trpc.people.list.queryOptions({ limit: 1 })).data?.data;
  const delivered = useQuery(trpc.deliveries.list.queryOptions({ limit: 1, status: 'success' })).data?.data;
  const members = useQuery(trpc.accounts.members.list.queryOptions()).data?.data;
  const invitations = useQuery(trpc.accounts.invitations.list.queryOptions(undefined, { enabled: isOwner }))
    .data?.data;
  if (!newest || !published || !people || !delivered || !members) return null;
  const webinar = published[0] ?? newest[0];
  const ofWebinar = webinar && { ...params, webinarId: webinar.id };
  const isInvited = members.length > 1 || (invitations?.length ?? 0) > 0;
  const steps: { text: ReactNode; isDone: boolean }[] = [
    {
      isDone: newest.length > 0,
      text: (
        <Link to="/w/$workspaceId/webinars" params={params} search={{ create: true }}>
          Make a webinar
        </Link>
      ),
    },
    {
      isDone: published.length > 0,
      text: ofWebinar ? (
        <Link to="/w/$workspaceId/webinars/$webinarId/details" params={ofWebinar}>
          Publish it
        </Link>
      ) : (
        'Publish it'
      ),
    },
    {
      isDone: kept.hasOpenedPage === true || people.length > 0,
      text: published[0] ? (
        <a
          href={`/w/${published[0].slug}`}
          target="_blank"
          rel="noreferrer"
          onClick={() => keep({ ...kept, hasOpenedPage: true })}
        >
          Open its registration page
        </a>
      ) : (
        'Open its registration page'
      ),
    },
    {
      isDone: people.length > 0,
      text: ofWebinar ? (
        <Link to="/w/$workspaceId/webinars/$webinarId/registrations" params={ofWebinar}>
          First registration
        </Link>
      ) : (
        'First registration'
      ),
    },
    {
      isDone: delivered.length > 0,
      text: ofWebinar ? (
        <Link
          to="/w/$workspaceId/webinars/$webinarId/automations"
          params={ofWebinar}
          search={{ create: true }}
        >
          First webhook delivered
        </Link>
      ) : (
        'First webhook delivered'
      ),
    },
    ...(isOwner
      ? [
          {
            isDone: isInvited,
            text: (
              <Link to="/w/$workspaceId/settings/members" params={params}>
                Invite a colleague
              </Link>
            ),
          },
        ]
      : []),
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <section className={styles['block']} aria-label="First steps">
      <Group justify="space-between" gap="xs">
        <Title order={2}>
          First steps: {done} of {steps.length}
        </Title>
        <Button variant="subtle" color="gray" onClick={() => keep({ ...kept, isHidden: true })}>
          Hide first steps
        </Button>
      </Group>
      <ol className={styles['steps']}>
        {steps.map(({ text, isDone }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- steps never move
          <li key={index} className={styles['step']} data-done={isDone || undefined}>
            {isDone ? <IconCircleCheckFilled size={18} aria-hidden /> : <IconCircle size={18} aria-hidden />}
            <span>{text}</span>
            <VisuallyHidden>{isDone ? 'Done' : 'Not done'}</VisuallyHidden>
          </li>
        ))}
      </ol>
    </section>
  );
}
