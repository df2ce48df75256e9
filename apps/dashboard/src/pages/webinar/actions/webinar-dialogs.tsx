import { Anchor, Group, Skeleton, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyButton } from '../../../components/copy.tsx';
import { DialogForm, Question } from '../../../components/dialog-form.tsx';
import { Notice } from '../../../components/notice.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { formatPlural } from '../../../format.ts';
import { useTRPC, useTRPCClient, type Webinar } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { pageAddress } from '../page/page-address.ts';
import { useInvalidation } from '../use-invalidation.ts';
import styles from './actions.module.css';

const titleMax = 200;
const mark = ' (copy)';

export function DuplicateForm({ webinar, onClose }: { webinar: Webinar; onClose: () => void }) {
  const trpc = useTRPC();
  const changed = useInvalidation((trpc) => [trpc.webinars.list]);
  const navigate = useNavigate();
  const { workspace } = useWorkspace();
  const [title, setTitle] = useState(webinar.title.slice(0, titleMax - mark.length).trimEnd() + mark);
  const { mutate, isPending, error } = useMutation(
    trpc.webinars.duplicate.mutationOptions({
      onSuccess: async ({ data }) => {
        void changed();
        onClose();
        await navigate({
          to: '/w/$workspaceId/webinars/$webinarId/details',
          params: { workspaceId: workspace.id, webinarId: data.id },
        });
        notifications.show({ message: `“${data.title}” is a draft with the same settings.` });
      },
    }),
  );
  return (
    <DialogForm
      submit="Duplicate"
      isPending={isPending}
      isDisabled={title.trim() === ''}
      error={error}
      shownPaths={['title']}
      apiCall={{
        operation: 'POST /webinars/{webinarId}/duplicate',
        params: { webinarId: webinar.id },
        body: { title },
      }}
      onSubmit={() => mutate({ webinarId: webinar.id, title })}
      onCancel={onClose}
    >
      <Text size="sm">
        The copy is a draft with the same settings, schedule, segments and interactions. Sessions,
        registrations, rules and subscriptions are not copied.
      </Text>
      <TextInput
        label="Title of the copy"
        maxLength={titleMax}
        autoComplete="off"
        data-autofocus
        autoFocus
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        error={error ? fieldErrors(failureOf(error), ['title'])['title'] : undefined}
      />
    </DialogForm>
  );
}

interface UnpublishFormProps {
  webinar: Webinar;
  onClose: () => void;
}

export function UnpublishForm({ webinar, onClose }: UnpublishFormProps) {
  const trpc = useTRPC();
  const changed = useInvalidation((trpc) => [trpc.webinars, trpc.sessions]);
  const { mutate, isPending, error } = useMutation(
    trpc.webinars.unpublish.mutationOptions({
      onSuccess: async () => {
        await changed();
        notifications.show({ message: `“${webinar.title}” is a draft again.` });
        onClose();
      },
    }),
  );
  const params = { webinarId: webinar.id };
  return (
    <DialogForm
      submit="Unpublish"
      isPending={isPending}
      error={error}
      apiCall={{ operation: 'POST /webinars/{webinarId}/unpublish', params }}
      onSubmit={() => mutate(params)}
      onCancel={onClose}
    >
      <Text size="sm">
        The webinar becomes a draft, and registration closes. Its future sessions are removed; publishing
        makes them again. This is refused while a session that has not ended has registrations.
      </Text>
    </DialogForm>
  );
}

export function RestoreForm({ webinar, onClose }: UnpublishFormProps) {
  const trpc = useTRPC();
  const changed = useInvalidation((trpc) => [trpc.webinars, trpc.sessions]);
  const { mutate, isPending, error } = useMutation(
    trpc.webinars.restore.mutationOptions({
      onSuccess: async () => {
        await changed();
        notifications.show({
          message: `“${webinar.title}” is a draft again. Attendees can register after you publish it.`,
        });
        onClose();
      },
    }),
  );
  return (
    <DialogForm
      submit="Restore as a draft"
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ webinarId: webinar.id })}
      onCancel={onClose}
    >
      <ul className={styles['consequences']}>
        <li>The webinar becomes a draft with its settings, rules, subscriptions and registrations.</li>
        <li>
          Sessions with registrations stay cancelled. Move their people to another session after publishing.
        </li>
        <li>The API finds it again. Restoring sends no message.</li>
      </ul>
    </DialogForm>
  );
}

/** Says where people can register, after the webinar was published on this page. */
export function PublishedNotice({ webinar }: { webinar: Webinar }) {
  const address = pageAddress(webinar);
  return (
    <div className={styles['checks']} role="status">
      <Notice tone="info">
        <Text size="sm">“{webinar.title}” is published. Attendees can register on its page:</Text>
        <Group gap="xs" mt={4}>
          <Anchor href={address} target="_blank" rel="noreferrer" style={{ overflowWrap: 'anywhere' }}>
            {address}
          </Anchor>
          <CopyButton text={address} label="Copy address" />
        </Group>
      </Notice>
    </div>
  );
}

type Verb = 'archive' | 'delete';

interface RetireFormProps {
  webinar: Webinar;
  verb: Verb;
  onClose: () => void;
  onRetired?: (() => void) | undefined;
}

const titles = { archive: 'Archive webinar', delete: 'Delete webinar' };
const results = { archive: 'is archived. Find it with the status Archived.', delete: 'is deleted.' };

/** Archiving and deleting end a webinar for its attendees. Both say what ends. Only archiving can be undone. */
export function RetireForm({ webinar, verb, onClose, onRetired }: RetireFormProps) {
  const client = useTRPCClient();
  const changed = useInvalidation((trpc) => [trpc.webinars.list, trpc.webinars.listArchived]);
  const [typed, setTyped] = useState('');
  const isConfirmed = verb === 'archive' || typed.trim() === webinar.title.trim();
  const params = { webinarId: webinar.id };
  return (
    <Question
      confirm={titles[verb]}
      isCancelFirst={false}
      isDisabled={!isConfirmed}
      apiCall={
        verb === 'archive'
          ? { operation: 'POST /webinars/{webinarId}/archive', params }
          : webinar.status === 'archived'
            ? undefined
            : { operation: 'DELETE /webinars/{webinarId}', params }
      }
      act={async () => {
        if (verb === 'archive') await client.webinars.archive.mutate(params);
        else await client.webinars.delete.mutate(params);
      }}
      message={`“${webinar.title}” ${results[verb]}`}
      onDone={() => {
        onClose();
        onRetired?.();
        return changed();
      }}
      onClose={onClose}
    >
      <Consequences webinar={webinar} verb={verb} />
      {verb === 'delete' ? (
        <TextInput
          label="Type the title to confirm"
          placeholder={webinar.title}
          autoComplete="off"
          data-autofocus
          autoFocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      ) : null}
    </Question>
  );
}

function Consequences({
  webinar: { id: webinarId, status },
  verb,
}: Pick<RetireFormProps, 'webinar' | 'verb'>) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.sessions.open.queryOptions({ webinarId }));
  const ends =
    status === 'archived' ? null : (
      <>
        <li>{data || error ? sessionsText(data?.data) : <Skeleton height={12} width={240} my={4} />}</li>
        <li>Attendees of these sessions get the e-mail about a cancelled session, if it is switched on.</li>
        <li>Its registration page and its room close, and its personal join links stop working.</li>
        <li>
          No event or timer fires its rules any more.
          {verb === 'archive' ? ' Deliveries that are waiting are still sent.' : null}
        </li>
        <li>The API answers 404 for it and everything in it.</li>
      </>
    );
  if (verb === 'archive') {
    return (
      <>
        <ul className={styles['consequences']}>{ends}</ul>
        <Text size="sm">
          You can read its registrations and results with the status Archived, and restore it there as a
          draft. Cancelled sessions stay cancelled.
        </Text>
      </>
    );
  }
  return (
    <>
      <ul className={styles['consequences']}>
        {ends}
        <li>
          Its settings, rules, deliveries, sessions, registrations and results disappear from the dashboard.
        </li>
        <li>Deliveries and mails of its rules and webhooks that are waiting are cancelled.</li>
        <li>
          Kept: purchases with their credit in Revenue, the counts of deliveries, and the calls in Activity.
          To erase a person, use “Erase this person” in the registration before.
        </li>
      </ul>
      <Text size="sm" fw={550}>
        This cannot be undone.
      </Text>
    </>
  );
}

function sessionsText(open: { sessions: number; registrations: number } | undefined): string {
  if (!open) return 'Its sessions that have not ended are cancelled.';
  if (open.sessions === 0) return 'It has no sessions that have not ended.';
  const sessions = formatPlural(open.sessions, 'session');
  return `${sessions} that ${open.sessions === 1 ? 'has' : 'have'} not ended ${open.sessions === 1 ? 'is' : 'are'} cancelled, with ${formatPlural(open.registrations, 'registration')}.`;
}
