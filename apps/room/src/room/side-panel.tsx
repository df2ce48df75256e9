import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTexts } from '../page/texts.tsx';
import { WebinarAbout } from '../page/webinar-about.tsx';
import { Chat, type WrittenMessage } from './chat.tsx';
import { AboutIcon, ChatIcon, ItemsIcon } from './icons.tsx';
import { mergeMessages } from './due-interactions.ts';
import { InteractionCard } from './interaction-card.tsx';
import type { ChatMessage, Interaction } from './protocol.ts';
import { useRoom } from './room-context.ts';
import styles from './side-panel.module.css';

interface SidePanelProps {
  items: readonly Interaction[];
  /** Messages that are recorded with the video, up to its position. */
  recorded: readonly ChatMessage[];
  positionSeconds: number;
  onUsed(): void;
}

type TabName = 'chat' | 'items' | 'about';

/** The tabs beside the video: chat, everything that was offered, and the webinar. */
export function SidePanel({ items, recorded, positionSeconds, onUsed }: SidePanelProps) {
  const { room } = useRoom();
  const texts = useTexts().room;
  const messages = mergeMessages(room.messages, recorded);
  const hasChat = room.visit.webinar.chatMode !== 'off';
  const tabs: readonly { name: TabName; icon: ReactNode }[] = [
    ...(hasChat ? [{ name: 'chat' as const, icon: <ChatIcon size={18} /> }] : []),
    { name: 'items', icon: <ItemsIcon size={18} /> },
    { name: 'about', icon: <AboutIcon size={18} /> },
  ];
  const [open, setOpen] = useState<TabName>(hasChat ? 'chat' : 'items');
  const unread = {
    chat: useUnread(messages.findLast(({ own }) => !own)?.id, messages.length, open === 'chat'),
    items: useUnread(items[0]?.id, items.length, open === 'items'),
    about: 0,
  };
  // Here, because the chat is removed while another tab is open.
  const [written, setWritten] = useState<WrittenMessage>({ text: '', replyTo: undefined });
  const tabRefs = useRef(new Map<TabName, HTMLButtonElement | null>());

  const move = ({ key }: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const at = tabs.findIndex(({ name }) => name === open);
    const next = tabs[(at + step + tabs.length) % tabs.length]!.name;
    setOpen(next);
    tabRefs.current.get(next)?.focus();
  };

  return (
    <section className={styles['panel']} aria-label={texts.tabs.label}>
      <div className={styles['tabs']} role="tablist" aria-label={texts.tabs.label} onKeyDown={move}>
        {tabs.map(({ name, icon }) => (
          <button
            key={name}
            ref={(element) => void tabRefs.current.set(name, element)}
            type="button"
            role="tab"
            id={`tab-${name}`}
            className={styles['tab']}
            aria-selected={open === name}
            aria-controls="tab-panel"
            tabIndex={open === name ? 0 : -1}
            onClick={() => setOpen(name)}
          >
            {icon}
            {texts.tabs[name]}
            {unread[name] > 0 && (
              <span className={styles['count']}>
                {Math.min(unread[name], 99)}
                <span className="visually-hidden"> {texts.unread(unread[name])}</span>
              </span>
            )}
          </button>
        ))}
      </div>
      <div
        id="tab-panel"
        className={styles['content']}
        role="tabpanel"
        aria-labelledby={`tab-${open}`}
        data-tab={open}
      >
        {open === 'chat' && <Chat {...{ messages, written, setWritten }} />}
        {open === 'items' && (
          <div className={styles['scroll']} tabIndex={0}>
            {items.length === 0 && <p className={styles['empty']}>{texts.items.empty}</p>}
            {items.map((item) => (
              <InteractionCard
                key={item.id}
                interaction={item}
                positionSeconds={positionSeconds}
                layout="panel"
                onUsed={onUsed}
              />
            ))}
          </div>
        )}
        {open === 'about' && <About />}
      </div>
    </section>
  );
}

/** The number of new entries since the tab was last open. Those that were there when the page opened are not new. */
function useUnread(newestId: string | undefined, count: number, isOpen: boolean): number {
  const [seen, setSeen] = useState({ id: newestId, count });
  if (isOpen && (seen.id !== newestId || seen.count !== count)) setSeen({ id: newestId, count });
  if (isOpen || newestId === seen.id) return 0;
  return Math.max(count - seen.count, 1);
}

function About() {
  const { page } = useRoom();
  const { title, description } = page.webinar;
  return (
    <div className={styles['scroll']} tabIndex={0}>
      <h2 className={styles['title']}>{title}</h2>
      {description !== null && <p className={styles['description']}>{description}</p>}
      <WebinarAbout webinar={page.webinar} about="" />
    </div>
  );
}
