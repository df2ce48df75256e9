import { Button } from '@mantine/core';
import type { ReactNode, SubmitEventHandler } from 'react';
import { CenteredCard } from '../../components/centered-card.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import type { Session } from '../../session.ts';
import styles from './auth-card.module.css';

interface AuthCardProps {
  title: string;
  lead?: string;
  children: ReactNode;
  foot: ReactNode;
}

export const AuthCard = ({ title, lead, children, foot }: AuthCardProps) => (
  <CenteredCard title={title} lead={lead}>
    {children}
    {foot === null ? null : <div className={styles['foot']}>{foot}</div>}
  </CenteredCard>
);

interface AuthFormProps {
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  isPending: boolean;
  error?: unknown;
  /** The text of the button. */
  submit: string;
  /** The fields. */
  children: ReactNode;
}

export const AuthForm = ({ onSubmit, isPending, error, submit, children }: AuthFormProps) => (
  <form className={styles['form']} onSubmit={onSubmit} noValidate>
    {error ? <FailureNotice error={error} /> : null}
    {children}
    <Button type="submit" fullWidth loading={isPending}>
      {submit}
    </Button>
  </form>
);

/** The mailbox of the embedded default, for a browser on its machine. */
export const MailboxLink = ({ session }: { session: Session | undefined }) =>
  session?.mail === 'mailbox' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname) ? (
    <a href="/mail">Open the mailbox of this installation</a>
  ) : null;

interface CheckMailProps {
  session: Session | undefined;
  children: ReactNode;
  foot: ReactNode;
}

/** After a request that was answered by a mail. */
export const CheckMail = ({ session, children, foot }: CheckMailProps) => (
  <AuthCard
    title="Check your mail"
    foot={
      <>
        {foot}
        <MailboxLink session={session} />
      </>
    }
  >
    <Notice tone="info">{children}</Notice>
  </AuthCard>
);
