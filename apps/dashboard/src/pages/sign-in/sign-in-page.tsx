import { Button, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { hasDrafts } from '../../kept-drafts.ts';
import { signIn } from '../../session.ts';
import { AuthCard } from './auth-card.tsx';
import { addressOf, type SignInSearch } from './search.ts';
import { signUpRefusal, type SignInPageProps } from './sign-in.ts';
import { isEmail, isFilled, useFields } from './use-fields.ts';
import { useSubmit } from './use-submit.ts';

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
