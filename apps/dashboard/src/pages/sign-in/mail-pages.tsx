// The pages of the links in mails to members. The token of a link is in the fragment of the address, which no server gets.
import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { confirmSignUp, requestReset, resetPassword, sessionQuery, verifyEmail } from '../../session.ts';
import { signInSearchOf, wantedPage } from './search.ts';
import { AuthCard, AuthForm, CheckMail } from './auth-card.tsx';
import { isEmail, isFilled, isPassword, useFields, useSubmit } from './use-fields.ts';

const toSignIn = <a href="/sign-in">Back to sign-in</a>;

export function ForgotPasswordPage() {
  const { data: session } = useQuery(sessionQuery);
  const [sentTo, setSentTo] = useState<string>();
  const fields = useFields({ email: isEmail('Enter your e-mail address.') });
  const { submit, ...sending } = useSubmit({
    send: async ({ email }: { email: string }) => {
      await requestReset(email);
      setSentTo(email);
    },
    onSuccess: async () => undefined,
  });
  if (sentTo !== undefined)
    return (
      <CheckMail session={session} foot={toSignIn}>
        If {sentTo} has an account here, it gets a mail with a link to choose a new password. The link works
        for 30 minutes.
      </CheckMail>
    );
  return (
    <AuthCard
      title="Forgot your password?"
      lead="We send a link to choose a new one to your e-mail address."
      foot={toSignIn}
    >
      <AuthForm submit="Send link" onSubmit={fields.onSubmit(submit)} {...sending}>
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus
          {...fields.propsOf('email')}
        />
      </AuthForm>
    </AuthCard>
  );
}

export function ResetPasswordPage() {
  const [isDone, setDone] = useState(false);
  const fields = useFields({ newPassword: isPassword });
  const { submit, ...sending } = useSubmit({
    send: ({ newPassword }: { newPassword: string }) => resetPassword(tokenOfAddress(), newPassword),
    onSuccess: async () => setDone(true),
  });
  if (isDone)
    return (
      <AuthCard title="Password changed" lead="You are signed out on all devices." foot={null}>
        <Button component="a" href="/sign-in" fullWidth>
          Sign in
        </Button>
      </AuthCard>
    );
  return (
    <AuthCard
      title="Choose a new password"
      lead="The change signs you out on all devices."
      foot={<a href="/forgot-password">Ask for a new link</a>}
    >
      <AuthForm submit="Change password" onSubmit={fields.onSubmit(submit)} {...sending}>
        <PasswordField
          label="New password"
          description="At least 8 characters."
          autoComplete="new-password"
          autoFocus
          {...fields.propsOf('newPassword')}
        />
      </AuthForm>
    </AuthCard>
  );
}

/** A click, because some mail programs open every link. */
export function VerifyEmailPage() {
  const [isDone, setDone] = useState(false);
  const queryClient = useQueryClient();
  const { submit, isPending, error } = useSubmit({
    send: () => verifyEmail(tokenOfAddress()),
    onSuccess: async () => {
      await queryClient.invalidateQueries(sessionQuery);
      setDone(true);
    },
  });
  return (
    <AuthCard
      title={isDone ? 'Address confirmed' : 'Confirm your e-mail address'}
      lead={isDone ? 'Thank you.' : 'This proves that mails to the address reach you.'}
      foot={null}
    >
      {error ? <FailureNotice error={error} /> : null}
      {isDone ? (
        <Button component="a" href="/" fullWidth>
          Open the dashboard
        </Button>
      ) : (
        <Button fullWidth loading={isPending} onClick={() => submit(undefined)}>
          Confirm
        </Button>
      )}
    </AuthCard>
  );
}

/** The password proves that the person who signed up and the one who reads the mail are the same. */
export function ConfirmSignUpPage() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const fields = useFields({ password: isFilled('Enter the password that you chose.') });
  const { submit, ...sending } = useSubmit({
    send: ({ password }: { password: string }) => confirmSignUp(tokenOfAddress(), password),
    async onSuccess() {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      const search = signInSearchOf(Object.fromEntries(new URLSearchParams(location.search)));
      await router.navigate({ href: wantedPage(search), replace: true });
    },
  });
  return (
    <AuthCard
      title="Finish your sign-up"
      lead="Enter the password that you chose when you signed up."
      foot={<a href="/sign-up">Sign up again</a>}
    >
      <AuthForm submit="Create account" onSubmit={fields.onSubmit(submit)} {...sending}>
        <PasswordField
          label="Password"
          autoComplete="current-password"
          autoFocus
          {...fields.propsOf('password')}
        />
      </AuthForm>
    </AuthCard>
  );
}

const tokenOfAddress = (): string => location.hash.slice(1);
