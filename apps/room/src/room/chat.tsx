import {
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type Dispatch,
  type SetStateAction,
} from 'react';
import { useLanguage, useTexts } from '../page/texts.tsx';
import { initialsOf } from '../page/webinar-about.tsx';
import { formatClock, localZone } from '../page/time-text.ts';
import { CloseIcon, ReplyIcon, SendIcon } from './icons.tsx';
import type { ChatMessage } from './protocol.ts';
import { useRoom } from './room-context.ts';
import type { Draft } from './room-state.ts';
import { splitLinks } from './safe-links.ts';
import styles from './chat.module.css';

/** A message that the attendee has not sent yet. */
export interface WrittenMessage {
  text: string;
  replyTo: ChatMessage | undefined;
}

interface ChatProps {
  /** In the order of time. */
  messages: readonly ChatMessage[];
  written: WrittenMessage;
  setWritten: Dispatch<SetStateAction<WrittenMessage>>;
}

export function Chat({ messages, written, setWritten }: ChatProps) {
  const { room } = useRoom();
  const texts = useTexts().room.chat;
  const { chatMode } = room.visit.webinar;
  const { isReplay } = room.session;
  const count = messages.length + room.drafts.length;
  // A full list keeps its length when a message comes.
  const { listRef, isBehind, toEnd, onScroll } = useStickToEnd(`${count} ${messages.at(-1)?.id}`);
  const reply = useCallback(
    (replyTo: ChatMessage) => setWritten(({ text }) => ({ text, replyTo })),
    [setWritten],
  );
  return (
    <div className={styles['chat']}>
      <div
        className={styles['scroll']}
        ref={listRef}
        onScroll={onScroll}
        role="log"
        aria-label={texts.label}
        tabIndex={0}
      >
        {count === 0 && !isReplay && (
          <p className={styles['empty']}>{chatMode === 'private' ? texts.emptyPrivate : texts.empty}</p>
        )}
        <ol className={styles['list']}>
          {messages.map((message, index) => (
            <Message
              key={message.id}
              message={message}
              isContinued={continues(messages[index - 1], message)}
              onReply={isReplay ? undefined : reply}
            />
          ))}
          {room.drafts.map((draft) => (
            <DraftMessage key={draft.key} draft={draft} />
          ))}
        </ol>
      </div>
      {isBehind && (
        <button type="button" className={styles['newer']} onClick={toEnd}>
          {texts.newer}
        </button>
      )}
      {isReplay ? (
        <p className={styles['closed']}>{texts.replayNote}</p>
      ) : (
        <Composer written={written} setWritten={setWritten} />
      )}
    </div>
  );
}

const togetherMs = 120_000;

/** True for a message of the same person within two minutes: the name is not said again. */
function continues(before: ChatMessage | undefined, message: ChatMessage): boolean {
  return (
    before !== undefined &&
    message.replyTo === null &&
    before.name === message.name &&
    before.role === message.role &&
    before.own === message.own &&
    Date.parse(message.sentAt) - Date.parse(before.sentAt) < togetherMs
  );
}

interface MessageProps {
  message: ChatMessage;
  isContinued: boolean;
  onReply: ((message: ChatMessage) => void) | undefined;
}

/** The room renders each second, and a chat may have hundreds of messages. */
const Message = memo(function Message({ message, isContinued, onReply }: MessageProps) {
  const texts = useTexts().room.chat;
  const language = useLanguage();
  const { name, text, sentAt, own, role, replyTo } = message;
  return (
    <li className={styles['message']} data-own={own} data-role={role} data-continued={isContinued}>
      {isContinued ? <span className={styles['gap']} /> : <Initials name={name} />}
      <div className={styles['words']}>
        {!isContinued && (
          <p className={styles['author']}>
            <span className={styles['name']}>{own ? texts.you : name}</span>
            {role === 'presenter' && <span className={styles['role']}>{texts.presenter}</span>}
            {role === 'simulated' && <span className={styles['recorded']}>{texts.recorded}</span>}
            <time className={styles['time']} dateTime={sentAt}>
              {formatClock(new Date(sentAt), { zone: localZone(), language })}
            </time>
          </p>
        )}
        {replyTo && (
          <p className={styles['quote']}>
            <span className={styles['quoted']}>{replyTo.name}</span> {replyTo.text}
          </p>
        )}
        <p className={styles['text']}>
          <LinkedText text={text} />
        </p>
      </div>
      {onReply && !own && role !== 'simulated' && (
        <button
          type="button"
          className={styles['reply']}
          onClick={() => onReply(message)}
          aria-label={texts.replyTo(name)}
        >
          <ReplyIcon size={16} />
        </button>
      )}
    </li>
  );
});

function LinkedText({ text }: { text: string }) {
  return splitLinks(text).map((part, index) =>
    part.type === 'text' ? (
      part.text
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text never move
      <a key={index} href={part.url} target="_blank" rel="noopener nofollow ugc">
        {part.text}
      </a>
    ),
  );
}

function DraftMessage({ draft }: { draft: Draft }) {
  const { session, room } = useRoom();
  const texts = useTexts().room.chat;
  const { key, text, problem } = draft;
  return (
    <li className={styles['message']} data-own="true" data-draft>
      <Initials name={room.visit.attendee.name} />
      <div className={styles['words']}>
        <p className={styles['author']}>
          <span className={styles['name']}>{texts.you}</span>
          {problem === undefined && <span className={styles['time']}>{texts.sending}</span>}
        </p>
        <p className={styles['text']}>{text}</p>
        {problem !== undefined && (
          <div className={styles['problem']} role="alert">
            <p>{problemText(problem, texts)}</p>
            <button type="button" className="text-button" onClick={() => session.sayAgain(key)}>
              {texts.again}
            </button>{' '}
            <button type="button" className="text-button" onClick={() => session.discard(key)}>
              {texts.discard}
            </button>
          </div>
        )}
      </div>
    </li>
  );
}

type ChatTexts = ReturnType<typeof useTexts>['room']['chat'];

function problemText(code: string, texts: ChatTexts): string {
  if (code === 'rate_limited' || code === 'room_busy') return texts.tooFast;
  if (code === 'session_not_live' || code === 'chat_off') return texts.closed;
  return texts.notSent;
}

const textMax = 1000;
const countFrom = 850;

function Composer({ written: { text, replyTo }, setWritten }: Omit<ChatProps, 'messages'>) {
  const { session } = useRoom();
  const texts = useTexts().room.chat;
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const focusedFor = useRef(replyTo);
  useEffect(() => {
    if (replyTo && replyTo !== focusedFor.current) fieldRef.current?.focus();
    focusedFor.current = replyTo;
  }, [replyTo]);

  const send = (): void => {
    const trimmed = text.trim();
    if (trimmed === '') return;
    session.say(trimmed, replyTo ? { id: replyTo.id, name: replyTo.name, text: replyTo.text } : null);
    setWritten({ text: '', replyTo: undefined });
  };

  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {replyTo && (
        <p className={styles['replying']}>
          <span>{texts.replyingTo(replyTo.name)}</span>
          <button
            type="button"
            onClick={() => setWritten({ text, replyTo: undefined })}
            aria-label={texts.cancelReply}
          >
            <CloseIcon size={16} />
          </button>
        </p>
      )}
      <div className={styles['field']}>
        <textarea
          ref={fieldRef}
          className={styles['input']}
          value={text}
          rows={1}
          maxLength={textMax}
          placeholder={texts.placeholder}
          aria-label={texts.message}
          onChange={({ target }) => setWritten({ text: target.value, replyTo })}
          onKeyDown={(event) => {
            // Enter that ends the input of a Japanese word does not send.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <button
          type="submit"
          className={styles['send']}
          disabled={text.trim() === ''}
          aria-label={texts.send}
        >
          <SendIcon />
        </button>
      </div>
      {text.length >= countFrom && (
        <p className={styles['left']} role="status">
          {text.length >= textMax ? texts.tooLong : texts.left(textMax - text.length)}
        </p>
      )}
    </form>
  );
}

const nearEndPx = 80;

/** Keeps the newest message in sight, unless the reader has scrolled up. `version` changes with the messages. */
function useStickToEnd(version: string) {
  const listRef = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [isBehind, setBehind] = useState(false);
  const toEnd = (): void => {
    const list = listRef.current;
    if (list) list.scrollTop = list.scrollHeight;
    setBehind(false);
  };
  const follow = useEffectEvent(() => {
    if (isAtEnd.current) toEnd();
    else setBehind(true);
  });
  useLayoutEffect(() => {
    if (version !== '') follow();
  }, [version]);
  return {
    listRef,
    isBehind,
    toEnd,
    onScroll(): void {
      const list = listRef.current;
      if (!list) return;
      isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < nearEndPx;
      if (isAtEnd.current) setBehind(false);
    },
  };
}

/** The first letters of a name on a colour that is always the same for the name. */
function Initials({ name }: { name: string }) {
  const hue = Array.from(name, (letter) => letter.codePointAt(0)!).reduce(
    (sum, code) => (sum * 31 + code) % 360,
    7,
  );
  return (
    <span className={styles['initials']} style={{ '--hue': hue }} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}
