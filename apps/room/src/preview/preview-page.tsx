import type { RoomPreview } from '@service/attendees';
import { useEffect, useState, type ReactNode } from 'react';
import { BranchPromptCard } from '../room/branch-prompt.tsx';
import { Brand } from '../page/frame.tsx';
import { isCard, recordedMessages } from '../room/due-interactions.ts';
import { InteractionCard } from '../room/interaction-card.tsx';
import type { Interaction } from '../room/protocol.ts';
import { RoomContext, type RoomView } from '../room/room-context.ts';
import type { RoomSession } from '../room/room-session.ts';
import { SidePanel } from '../room/side-panel.tsx';
import styles from '../room/room.module.css';
import { roomOf } from './preview.ts';
import own from './preview-page.module.css';

/** The room at the moment at which an interaction or a choice appears, with the room's own cards in their places. */
export function PreviewPage({ preview }: { preview: RoomPreview }) {
  const { webinar, interaction, path } = preview;
  // An answer is forgotten at the next change of the form.
  const [answers, setAnswers] = useState<{ preview: RoomPreview; optionIds: readonly string[] }>();
  const optionIds = answers?.preview === preview ? answers.optionIds : [];
  const [choices, setChoices] = useState(0);
  const [openedMs] = useState(() => Date.now());
  const positionSeconds = useCountdownPosition(interaction?.countdownSeconds ?? undefined);
  const room = roomOf(preview, optionIds);
  // The cards and the panel need only these parts of a session and of a page.
  const session: Partial<RoomSession> = {
    view: () => Promise.resolve(),
    say: () => undefined,
    vote(_interactionId, optionId) {
      // Several answers come one after the other.
      setAnswers((before) => ({
        preview,
        optionIds: [...(before?.preview === preview ? before.optionIds : []), optionId],
      }));
      return Promise.resolve(undefined);
    },
    takeBranch() {
      setChoices(choices + 1);
      return Promise.resolve(true);
    },
  };
  const page: object = {
    branding: preview.branding,
    webinar: { ...webinar, description: null, presenters: [], takeaways: [] },
  };

  const cards = room.interactions.filter(isCard);
  const show = (one: Interaction, layout?: 'banner'): ReactNode => (
    <InteractionCard
      interaction={one}
      positionSeconds={positionSeconds}
      {...(layout && { layout })}
      {...(one.dismissible && { onClose: doNothing })}
      {...(one.display === 'popup' && { onMinimise: doNothing })}
      onUsed={doNothing}
    />
  );
  const popup = cards.find(({ display }) => display === 'popup');
  const banner = cards.find(({ display }) => display === 'banner');
  return (
    <RoomContext value={{ page, session, room } as RoomView}>
      <main className={styles['room']}>
        <header className={styles['head']}>
          <Brand branding={preview.branding} />
          <h1 className={styles['title']}>{webinar.title}</h1>
        </header>
        <div className={styles['main']}>
          <div className={styles['stage']}>
            <div className={styles['screen']}>
              {webinar.posterUrl !== null && <img className={own['poster']} src={webinar.posterUrl} alt="" />}
              {/* Its timer begins again after each choice. */}
              {path && <BranchPromptCard key={choices} positionSeconds={0} onBeforeMove={doNothing} />}
            </div>
            {popup && <div className={styles['popup']}>{show(popup)}</div>}
          </div>
          {banner && <div className={styles['banner']}>{show(banner, 'banner')}</div>}
        </div>
        <SidePanel
          items={cards}
          recorded={recordedMessages(room.interactions, openedMs)}
          positionSeconds={positionSeconds}
          onUsed={doNothing}
        />
      </main>
    </RoomContext>
  );
}

const doNothing = (): void => undefined;

/** Seconds for which the ended countdown is shown before it begins again. */
const endedSeconds = 4;

/** A position that runs through the countdown of an offer again and again. 0 without a countdown. */
function useCountdownPosition(countdownSeconds: number | undefined): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (countdownSeconds === undefined) return undefined;
    const timer = setInterval(() => setSeconds((now) => (now + 1) % (countdownSeconds + endedSeconds)), 1000);
    return () => clearInterval(timer);
  }, [countdownSeconds]);
  return countdownSeconds === undefined ? 0 : seconds;
}
