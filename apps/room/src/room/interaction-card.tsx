// An offer, a link, a poll or a file, as a card over the video, as a banner, or in the panel.
import { useEffect, useState } from 'react';
import { useLanguage, useTexts } from '../page/texts.tsx';
import { formatWait } from '../page/time-text.ts';
import { countdownLeft } from './due-interactions.ts';
import { CloseIcon, kindIcons, MinimiseIcon } from './icons.tsx';
import { PollForm } from './poll-form.tsx';
import type { Interaction } from './protocol.ts';
import { useRoom } from './room-context.ts';
import styles from './interaction-card.module.css';

interface InteractionCardProps {
  interaction: Interaction;
  positionSeconds: number;
  layout?: 'card' | 'banner' | 'panel';
  /** Left out when the attendee may not close it. */
  onClose?: (() => void) | undefined;
  onMinimise?: () => void;
  /** The attendee clicked or answered: conditions of other interactions may be met now. */
  onUsed(): void;
}

export function InteractionCard({
  interaction,
  positionSeconds,
  layout = 'card',
  ...does
}: InteractionCardProps) {
  const { session } = useRoom();
  const texts = useTexts().room.items;
  const { id, type, headline, body, imageUrl } = interaction;
  const Icon = kindIcons[type];
  useEffect(() => void session.view(id), [session, id]);
  return (
    <article className={styles['card']} data-layout={layout} aria-labelledby={`${layout}-${id}`}>
      <div className={styles['tools']}>
        <span className={styles['kind']}>
          <Icon size={16} />
          {texts.kinds[type]}
        </span>
        {does.onMinimise && (
          <button
            type="button"
            className={`${styles['tool']} ${styles['minimise']}`}
            onClick={does.onMinimise}
            aria-label={texts.minimise}
          >
            <MinimiseIcon />
          </button>
        )}
        {does.onClose && (
          <button type="button" className={styles['tool']} onClick={does.onClose} aria-label={texts.close}>
            <CloseIcon />
          </button>
        )}
      </div>
      <div className={styles['content']}>
        {imageUrl && layout !== 'banner' && <img className={styles['image']} src={imageUrl} alt="" />}
        <div className={styles['words']}>
          <h2 id={`${layout}-${id}`} className={styles['headline']}>
            {headline}
          </h2>
          {body !== null && <p className={styles['body']}>{body}</p>}
          {type === 'offer' && <OfferFacts interaction={interaction} positionSeconds={positionSeconds} />}
        </div>
        {type === 'poll' ? (
          <PollForm poll={interaction} onAnswered={does.onUsed} />
        ) : (
          <ClickLink interaction={interaction} onUsed={does.onUsed} />
        )}
      </div>
    </article>
  );
}

/** The click is recorded by the link itself, which then leads to the address. */
function ClickLink({ interaction, onUsed }: { interaction: Interaction; onUsed: () => void }) {
  const texts = useTexts().room.items;
  const { type, clickUrl, buttonLabel, fileName } = interaction;
  return (
    <a
      className={`button ${styles['action']}`}
      href={clickUrl}
      target="_blank"
      rel="noopener"
      onClick={onUsed}
    >
      <span className={styles['action-text']}>
        {type === 'handout' ? `${texts.download} ${fileName ?? ''}` : buttonLabel}
      </span>
      <span className="visually-hidden">({texts.newTab})</span>
    </a>
  );
}

function OfferFacts({ interaction, positionSeconds }: { interaction: Interaction; positionSeconds: number }) {
  const { priceMinor, currency, couponCode, countdownSeconds, showAtSeconds } = interaction;
  const language = useLanguage();
  return (
    <div className={styles['facts']}>
      {typeof priceMinor === 'number' && currency && (
        <p className={styles['price']}>{formatPrice({ priceMinor, currency, language })}</p>
      )}
      {countdownSeconds && <OfferCountdown {...{ showAtSeconds, countdownSeconds, positionSeconds }} />}
      {couponCode && <Coupon code={couponCode} />}
    </div>
  );
}

interface Price {
  priceMinor: number;
  currency: string;
  language: string;
}

function formatPrice({ priceMinor, currency, language }: Price): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(priceMinor / 10 ** digits);
}

function OfferCountdown(props: { showAtSeconds: number; countdownSeconds: number; positionSeconds: number }) {
  const texts = useTexts().room.items;
  const left = countdownLeft(props);
  if (left === 0) return <p className={styles['countdown']}>{texts.timeIsUp}</p>;
  return (
    <div className={styles['countdown']}>
      <p role="timer">
        {texts.endsIn} <strong>{formatWait(left * 1000)}</strong>
      </p>
      <span className={styles['track']} aria-hidden>
        <span style={{ '--part': left / props.countdownSeconds }} />
      </span>
    </div>
  );
}

function Coupon({ code }: { code: string }) {
  const texts = useTexts().room.items;
  const [isCopied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard.writeText(code).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <p className={styles['coupon']}>
      <span>
        {texts.coupon} <code>{code}</code>
      </span>
      <button type="button" className="text-button" onClick={copy}>
        {isCopied ? texts.copied : texts.copy}
      </button>
    </p>
  );
}
