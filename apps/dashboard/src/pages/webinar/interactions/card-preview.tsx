import { Text } from '@mantine/core';
import type { InteractionType } from '@service/webinars/inputs';
import { IconFileDownload, IconPhoto, IconX } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { formatMoney, textToMinor } from '../../../money.ts';
import { formatPosition, parsePosition } from '../../../time-text.ts';
import type { InteractionValues } from './form-values.ts';
import styles from './interaction-panel.module.css';

const placeTexts = {
  popup: 'Over the video',
  panel: 'Beside the video',
  banner: 'Under the video',
};

/** The card as an attendee will see it, while it is typed. */
export function CardPreview({ type, values }: { type: InteractionType; values: InteractionValues }) {
  const Details = detailsByType[type];
  const headingId = useId();
  return (
    <aside className={styles['aside']} aria-labelledby={headingId}>
      <Text id={headingId} size="sm" fw={550} mb={8}>
        Preview
      </Text>
      <div className={styles['stage']} data-place={values.display}>
        <div className={styles['card']}>
          {values.dismissible ? <IconX size={14} className={styles['close']} aria-hidden /> : null}
          <div className={styles['headline']}>
            {values.headline || (type === 'poll' ? 'Question' : 'Headline')}
          </div>
          {values.body ? <div className={styles['text']}>{values.body}</div> : null}
          <Details {...values} />
        </div>
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {placeTexts[values.display]}
        {values.showWhen.length === 0 ? ', for everyone' : ', if the conditions are met'}
        {values.enabled ? '' : '. Not shown while it is not enabled'}.
      </Text>
    </aside>
  );
}

const detailsByType: Readonly<Record<InteractionType, (values: InteractionValues) => ReactNode>> = {
  offer: OfferDetails,
  cta: ({ buttonLabel }) => <Button label={buttonLabel} />,
  poll: PollDetails,
  chat: ({ authorName }) => <div className={styles['text']}>{authorName || 'Author'}, recorded message</div>,
  handout: ({ fileName }) => (
    <div className={styles['file']}>
      <IconFileDownload size={16} aria-hidden />
      <span>{fileName || 'File name'}</span>
    </div>
  ),
};

function OfferDetails({
  buttonLabel,
  priceMinor,
  currency,
  imageUrl,
  couponCode,
  ...values
}: InteractionValues) {
  const amount = textToMinor(priceMinor, currency);
  const countdown = parsePosition(values.countdownSeconds);
  return (
    <>
      {imageUrl ? (
        <div className={styles['image']}>
          <IconPhoto size={18} aria-hidden />
          <span>{imageUrl}</span>
        </div>
      ) : null}
      {amount !== undefined && currency ? (
        <div className={styles['price']}>{formatMoney(amount, currency)}</div>
      ) : null}
      {countdown ? <div className={styles['countdown']}>Ends in {formatPosition(countdown)}</div> : null}
      {couponCode ? (
        <div className={styles['text']}>
          Code <code>{couponCode}</code>
        </div>
      ) : null}
      <Button label={buttonLabel} />
    </>
  );
}

function PollDetails({ options, multiple }: InteractionValues) {
  return (
    <ul className={styles['options']}>
      {options.map(({ key, label }, index) => (
        <li key={key}>
          <span className={multiple ? styles['box'] : styles['circle']} aria-hidden />
          <span>{label || `Answer ${index + 1}`}</span>
        </li>
      ))}
    </ul>
  );
}

/** Looks like the button of the card. It does nothing, so it is no button for the keyboard. */
const Button = ({ label }: { label: string }) => <div className={styles['button']}>{label || 'Button'}</div>;
