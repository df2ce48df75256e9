import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconArrowBackUp, IconEye, IconEyeOff } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import itemStyles from '../../../components/item-list.module.css';
import { ListResult, LoadMore } from '../../../components/load-more.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type ChatMessage, type Session, type Webinar } from '../../../trpc.ts';
import { IconAction } from '../icon-actions.tsx';
import { useInvalidation } from '../use-invalidation.ts';

/** As the API allows. */
const textMax = 1000;

interface SessionChatProps {
  session: Session;
  webinar: Webinar;
}

/** The chat of a session. The host writes, and hides messages from attendees. */
export function SessionChat({ session, webinar }: SessionChatProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [answered, setAnswered] = useState<ChatMessage>();
  const { webinarId, id: sessionId } = session;
  const where = { webinarId, sessionId };
  const { items, error, refetch, ...more } = usePaged({
    queryKey: [...trpc.responses.messages.pathKey(), webinarId, sessionId],
    fetchPage: (page, signal) => client.responses.messages.query({ ...where, ...page }, { signal }),
  });
  const changed = useInvalidation(({ responses }) => [responses.messages]);
  const hide = useMutation(trpc.responses.hideMessage.mutationOptions({ onSuccess: changed }));
  const isOff = webinar.room.chatMode === 'off';
  if (session.status === 'scheduled' || (isOff && items?.length === 0)) return null;
  return (
    <Section
      title="Chat"
      text="Newest first. A hidden message disappears from the pages of attendees at once."
      apiCall={{ operation: 'GET /webinars/{webinarId}/sessions/{sessionId}/messages', params: where }}
    >
      <Stack gap="sm">
        {session.status === 'live' && !isOff ? (
          <WriteMessage where={where} answered={answered} onDone={() => setAnswered(undefined)} />
        ) : null}
        {hide.error ? <FailureNotice error={hide.error} /> : null}
        <ListResult
          items={items}
          error={error}
          refetch={refetch}
          empty={
            <Text size="sm" c="dimmed">
              No messages yet.
            </Text>
          }
        >
          <ul className={itemStyles['list']} aria-label="Messages">
            {items?.map((message) => (
              <li key={message.id} className={itemStyles['item']}>
                <Message
                  message={message}
                  onAnswer={session.status === 'live' && !message.hidden ? setAnswered : undefined}
                  onHide={
                    webinar.status === 'archived'
                      ? undefined
                      : () => hide.mutate({ ...where, messageId: message.id, hidden: !message.hidden })
                  }
                />
              </li>
            ))}
          </ul>
        </ListResult>
        <LoadMore {...more} />
      </Stack>
    </Section>
  );
}

interface MessageProps {
  message: ChatMessage;
  /** Undefined: it cannot be answered. */
  onAnswer: ((message: ChatMessage) => void) | undefined;
  /** Undefined: nothing can be changed. */
  onHide: (() => void) | undefined;
}

function Message({ message, onAnswer, onHide }: MessageProps) {
  const { name, role, text, sentAt, hidden } = message;
  const author = name ?? 'Deleted registration';
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
      <div className={itemStyles['name']}>
        <Text size="xs" c="dimmed">
          <strong>{author}</strong>
          {role === 'presenter' ? ', host' : ''} · <RelativeTime at={sentAt} />
          {hidden ? ' · hidden' : ''}
        </Text>
        <Text size="sm" c={hidden ? 'dimmed' : undefined} td={hidden ? 'line-through' : undefined}>
          {text}
        </Text>
      </div>
      <Group gap={2} wrap="nowrap">
        {onAnswer ? (
          <IconAction label={`Reply to ${author}`} icon={IconArrowBackUp} onClick={() => onAnswer(message)} />
        ) : null}
        {onHide ? (
          <IconAction
            label={hidden ? `Show the message of ${author} again` : `Hide the message of ${author}`}
            icon={hidden ? IconEye : IconEyeOff}
            onClick={onHide}
          />
        ) : null}
      </Group>
    </Group>
  );
}

interface WriteMessageProps {
  where: { webinarId: string; sessionId: string };
  answered: ChatMessage | undefined;
  onDone: () => void;
}

function WriteMessage({ where, answered, onDone }: WriteMessageProps) {
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const changed = useInvalidation(({ responses }) => [responses.messages]);
  const send = useMutation(
    trpc.responses.sendMessage.mutationOptions({
      async onSuccess() {
        setText('');
        onDone();
        await changed();
      },
    }),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate({ ...where, text: text.trim(), replyTo: answered?.id });
      }}
    >
      <Stack gap="xs">
        <Textarea
          label={answered ? `Reply to ${answered.name ?? 'a message'}` : 'Message to all attendees'}
          description="With your name, marked as the host."
          autosize
          minRows={2}
          maxRows={6}
          maxLength={textMax}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {send.error ? <FailureNotice error={send.error} /> : null}
        <Group justify="flex-end" gap="xs">
          {answered ? (
            <Button variant="default" onClick={onDone}>
              Do not reply
            </Button>
          ) : null}
          <Button type="submit" loading={send.isPending} disabled={text.trim() === ''}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
