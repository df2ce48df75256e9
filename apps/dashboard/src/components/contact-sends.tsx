// The sends to marketing tools, as a connection, a registration and an execution show them.
import { Text } from '@mantine/core';
import { formatMilliseconds } from '../format.ts';
import type { ContactSend } from '../trpc.ts';
import { CodeBlock } from './code-block.tsx';
import styles from './contact-sends.module.css';
import { Facts } from './facts.tsx';
import { RelativeTime } from './relative-time.tsx';
import { Status, type WordStyle } from './status.tsx';

export interface SendOutcome extends WordStyle {
  explanation: string;
}

export type OutcomeName = ContactSend['outcome'];

export const sendOutcomes: Record<OutcomeName, SendOutcome> = {
  done: { tone: 'good', word: 'Sent', explanation: 'The tool has accepted the change.' },
  left: {
    tone: 'quiet',
    word: 'Unsubscribed',
    explanation:
      'The person has unsubscribed or was removed at the tool. Only the person can subscribe again.',
  },
  person_refused: {
    tone: 'warn',
    word: 'Refused',
    explanation: 'The tool does not take this address or its values.',
  },
  skipped: { tone: 'quiet', isHollow: true, word: 'Nothing to send', explanation: 'No call was made.' },
  later: {
    tone: 'warn',
    isMoving: true,
    word: 'Not taken yet',
    explanation: 'The tool did not take it. It is tried again.',
  },
  not_allowed: {
    tone: 'warn',
    word: 'Not allowed',
    explanation: 'The key or the plan of the account does not allow it. It is tried again.',
  },
  credential_refused: {
    tone: 'bad',
    word: 'Key refused',
    explanation: 'The tool refused the key. It waits, and is sent when the tool takes the key again.',
  },
  parked: {
    tone: 'warn',
    word: 'Tried hourly',
    explanation: 'All tries have failed. It is tried once an hour.',
  },
  expired: {
    tone: 'bad',
    word: 'Given up',
    explanation: 'It has waited for 30 days, and is not tried any more.',
  },
};

interface ContactSendsProps {
  /** Of the list, for screen readers. */
  label: string;
  sends: readonly ContactSend[];
  /** The name of each entry: the person at a connection, the connection at a person. */
  nameOf: (send: ContactSend) => string;
  /** The outcome as it is shown. Default: as that of a change. */
  outcomeOf?: (send: ContactSend) => SendOutcome;
}

const outcomeOfChange = ({ outcome }: ContactSend): SendOutcome => sendOutcomes[outcome];

/** A list of sends. Each opens to its calls, fields and values. */
export function ContactSends({ label, sends, nameOf, outcomeOf = outcomeOfChange }: ContactSendsProps) {
  return (
    <ul className={styles['list']} aria-label={label}>
      {sends.map((send) => {
        const { explanation, ...status } = outcomeOf(send);
        return (
          <li key={send.id}>
            <details>
              <summary className={styles['summary']}>
                <span className={styles['name']}>{nameOf(send)}</span>
                <Status {...status} />
                <span className={styles['time']}>
                  <RelativeTime at={send.at} />
                </span>
              </summary>
              <SendDetails send={send} explanation={explanation} />
            </details>
          </li>
        );
      })}
    </ul>
  );
}

/** Of the outcomes of a send, and of a change of a rule that was not sent. */
export const contactStatusStyles: Record<OutcomeName | 'queued' | 'connection_removed', WordStyle> = {
  ...sendOutcomes,
  queued: { tone: 'info', isHollow: true, word: 'Waiting' },
  connection_removed: { tone: 'quiet', isHollow: true, word: 'Connection removed' },
};

/** The calls of a send, the answer, and the values for those who may read them. */
export function SendDetails({ send, explanation }: { send: ContactSend; explanation?: string }) {
  const { outcome, reason, calls, status, durationMs, fields, values, bodyHash } = send;
  const isCalled = calls.length > 0;
  return (
    <div className={styles['details']}>
      <Text size="sm">{explanation ?? sendOutcomes[outcome].explanation}</Text>
      <Facts
        facts={[
          ['Reason', reason],
          ['Calls', isCalled ? calls.join(', ') : 'None'],
          ['Answer', isCalled ? (status === null ? 'None' : `HTTP ${status}`) : null],
          ['Took', isCalled ? formatMilliseconds(durationMs) : null],
          ['Fields', fields.length > 0 ? fields.join(', ') : null],
          ['Hash of the body', bodyHash === null ? null : <code key="hash">{bodyHash.slice(0, 16)}</code>],
        ]}
      />
      {values === null ? null : (
        <CodeBlock text={JSON.stringify(values, null, 2)} label="Values that were sent" />
      )}
    </div>
  );
}
