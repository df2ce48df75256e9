import { Button, TextInput } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { CenteredCard } from '../../components/centered-card.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { hasDrafts } from '../../kept-drafts.ts';
import { passwordLength, signIn, signUp } from '../../session.ts';
import styles from './auth-card.module.css';
import {
  addressOf,
  invitationIdOf,
  signUpRefusal,
  type SignInPageProps,
  type SignInSearch,
} from './search.ts';
import { isEmail, isFilled, useFields, useSubmit } from './use-fields.ts';

export function SignInPage({ search, session, onEnter }: SignInPageProps) {
  const fields = useFields({
    email: isEmail('Enter your e-mail address.'),
    password: isFilled('Enter your password.'),
  });
  const password = useRef<HTMLInputElement>(null);
  const { submit, isPending, error } = useSubmit({
    send: signIn,
    onSuccess: onEnter,
    // The likely mistake, to be typed again.
    onError: () => password.current?.select(),
  });
  return (
    <AuthCard
      title="Sign in"
      lead={leadOf(search)}
      foot={
        session && signUpRefusal(session.signUp, search.redirect) === undefined ? (
          <>
            New here? <a href={addressOf('/sign-up', search)}>Create an account</a>
          </>
        ) : null
      }
    >
      <form onSubmit={fields.onSubmit(submit)} noValidate>
        {error ? <FailureNotice error={error} /> : null}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus
          {...fields.propsOf('email')}
        />
        <PasswordField
          ref={password}
          label="Password"
          autoComplete="current-password"
          {...fields.propsOf('password')}
        />
        <Button type="submit" fullWidth loading={isPending}>
          Sign in
        </Button>
      </form>
    </AuthCard>
  );
}

function leadOf({ redirect, ended }: SignInSearch): string {
  if (ended && hasDrafts())
    return 'Your sign-in session has ended. Sign in to continue; what you typed is kept.';
  if (ended) return 'Your sign-in session has ended. Sign in to continue.';
  return redirect ? 'Sign in to continue.' : 'Manage your webinars, registrations and webhooks.';
}

interface AuthCardProps {
  title: string;
  lead: string;
  children: ReactNode;
  foot: ReactNode;
}

export const AuthCard = ({ title, lead, children, foot }: AuthCardProps) => (
  <CenteredCard title={title} lead={lead}>
    <div className={styles['fields']}>{children}</div>
    <p className={styles['foot']}>{foot}</p>
  </CenteredCard>
);

export function SignUpPage({ search, session, onEnter }: SignInPageProps) {
  const refusal = session && signUpRefusal(session.signUp, search.redirect);
  return (
    <AuthCard
      title="Create an account"
      lead={refusal === undefined ? 'You get a workspace of your own right away.' : 'Not possible here.'}
      foot={
        <>
          Have an account? <a href={addressOf('/sign-in', search)}>Sign in</a>
        </>
      }
    >
      {refusal === undefined ? (
        <SignUpForm invitationId={invitationIdOf(search.redirect)} onEnter={onEnter} />
      ) : (
        <Notice tone="info">{refusal}</Notice>
      )}
    </AuthCard>
  );
}

interface SignUpFormProps extends Pick<SignInPageProps, 'onEnter'> {
  invitationId: string | undefined;
}

function SignUpForm({ invitationId, onEnter }: SignUpFormProps) {
  const fields = useFields({
    name: isFilled('Enter your name.'),
    email: isEmail('Enter an e-mail address.'),
    password: ({ length }) =>
      length < passwordLength.min || length > passwordLength.max
        ? `Use ${passwordLength.min} to ${passwordLength.max} characters.`
        : undefined,
  });
  const { submit, isPending, error } = useSubmit({
    send: (values: Omit<Parameters<typeof signUp>[0], 'invitationId'>) => signUp({ ...values, invitationId }),
    onSuccess: onEnter,
  });
  return (
    <form onSubmit={fields.onSubmit(submit)} noValidate>
      {error ? <FailureNotice error={error} /> : null}
      <TextInput label="Name" autoComplete="name" autoFocus {...fields.propsOf('name')} />
      <TextInput label="E-mail" type="email" autoComplete="username" {...fields.propsOf('email')} />
      <PasswordField
        label="Password"
        description="At least 8 characters."
        autoComplete="new-password"
        {...fields.propsOf('password')}
      />
      <Button type="submit" fullWidth loading={isPending}>
        Create account
      </Button>
    </form>
  );
}
