import { Button, Group, Title, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircle, IconCircleCheckFilled } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../../workspace.ts';
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
  const steps = useSteps(kept.hasOpenedPage === true, () => keep({ ...kept, hasOpenedPage: true }));
  const done = steps.filter(([isDone]) => isDone).length;
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
        {steps.map(([isDone, text], index) => (
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

/** Each step with its state and its link. A step that is not possible yet has no link. No steps while they are loading. */
function useSteps(hasOpenedPage: boolean, onOpenPage: () => void): (readonly [boolean, ReactNode])[] {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const isOwner = workspace.role === 'owner';
  const newest = useQuery(trpc.webinars.list.queryOptions({ limit: 1 })).data?.data;
  const published = useQuery(trpc.webinars.list.queryOptions({ limit: 1, status: 'published' })).data?.data;
  const people = useQuery(trpc.people.list.queryOptions({ limit: 1 })).data?.data;
  const delivered = useQuery(trpc.deliveries.list.queryOptions({ limit: 1, status: 'success' })).data?.data;
  const members = useQuery(trpc.accounts.members.list.queryOptions()).data?.data;
  const invitations = useQuery(trpc.accounts.invitations.list.queryOptions(undefined, { enabled: isOwner }));
  if (!newest || !published || !people || !delivered || !members) return [];
  const [open] = published;
  const webinarId = (open ?? newest[0])?.id;
  const toTab = (tab: 'details' | 'registrations' | 'automations', text: string): ReactNode =>
    webinarId === undefined ? (
      text
    ) : (
      <WorkspaceLink to={`/w/$workspaceId/webinars/$webinarId/${tab}`} params={{ webinarId }}>
        {text}
      </WorkspaceLink>
    );
  const page = open ? (
    <a href={`/w/${open.slug}`} target="_blank" rel="noreferrer" onClick={onOpenPage}>
      Open its registration page
    </a>
  ) : (
    'Open its registration page'
  );
  const make = (
    <WorkspaceLink to="/w/$workspaceId/webinars" search={{ create: true }}>
      Make a webinar
    </WorkspaceLink>
  );
  const invite = <WorkspaceLink to="/w/$workspaceId/settings/members">Invite a colleague</WorkspaceLink>;
  const isInvited = members.length > 1 || (invitations.data?.data.length ?? 0) > 0;
  return [
    [newest.length > 0, make],
    [published.length > 0, toTab('details', 'Publish it')],
    [hasOpenedPage || people.length > 0, page],
    [people.length > 0, toTab('registrations', 'First registration')],
    [delivered.length > 0, toTab('automations', 'First webhook delivered')],
    ...(isOwner ? [[isInvited, invite] as const] : []),
  ];
}
