import { Button, PasswordInput, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { hasDrafts } from '../../form-draft.ts';
import { sessionQuery, signIn } from '../../session.ts';
import { AuthCard } from './auth-card.tsx';
import { signUpRefusal, useEnter } from './sign-in.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const search = route.useSearch();
  const enter = useEnter(search.redirect);
  const { data: session } = useQuery(sessionQuery);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: isEmail('Enter your e-mail address.'), password: isNotEmpty('Enter your password.') },
  });
  const password = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: signIn,
    onSuccess: enter,
    // The button had the focus and lost it while it was disabled.
    onError: () => setTimeout(() => password.current?.select()),
  });
  return (
    <AuthCard
      title="Sign in"
      lead={leadOf(search)}
      foot={
        session && signUpRefusal(session.signUp, search.redirect) === undefined ? (
          <>
            New here?{' '}
            <Link to="/sign-up" search={search}>
              Create an account
            </Link>
          </>
        ) : null
      }
    >
      <form onSubmit={form.onSubmit((values) => mutate(values))} noValidate>
        {error ? <FailureNotice error={error} /> : null}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
        />
        <PasswordInput
          ref={password}
          label="Password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" fullWidth loading={isPending}>
          Sign in
        </Button>
      </form>
    </AuthCard>
  );
}

function leadOf({ redirect, ended }: { redirect?: string | undefined; ended?: boolean | undefined }): string {
  if (ended && hasDrafts())
    return 'Your sign-in session has ended. Sign in to continue; what you typed is kept.';
  if (ended) return 'Your sign-in session has ended. Sign in to continue.';
  return redirect ? 'Sign in to continue.' : 'Manage your webinars, registrations and webhooks.';
}
