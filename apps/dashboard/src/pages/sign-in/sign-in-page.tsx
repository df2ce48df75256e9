import { TextInput } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import { Notice } from '../../components/notice.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { hasDrafts } from '../../kept-drafts.ts';
import { signIn, signUp, type Session } from '../../session.ts';
import { AuthCard, AuthForm, CheckMail, MailboxLink } from './auth-card.tsx';
import {
  addressOf,
  invitationIdOf,
  signUpRefusal,
  type SignInPageProps,
  type SignInSearch,
} from './search.ts';
import { isEmail, isFilled, isPassword, useFields, useSubmit } from './use-fields.ts';

// Few people have a second factor.
const SecondFactorPage = lazy(async () => ({
  default: (await import('./second-factor-page.tsx')).SecondFactorPage,
}));

export function SignInPage({ search, session, invitedEmail, onEnter }: SignInPageProps) {
  const fields = useFields(
    { email: isEmail('Enter your e-mail address.'), password: isFilled('Enter your password.') },
    { email: invitedEmail },
  );
  const password = useRef<HTMLInputElement>(null);
  const [needsCode, setNeedsCode] = useState(false);
  const { submit, ...sending } = useSubmit({
    send: signIn,
    onSuccess: async ({ twoFactorRedirect }) => (twoFactorRedirect ? setNeedsCode(true) : onEnter()),
    // The likely mistake, to be typed again.
    onError: () => password.current?.select(),
  });
  if (needsCode)
    return (
      <Suspense>
        <SecondFactorPage search={search} onEnter={onEnter} />
      </Suspense>
    );
  return (
    <AuthCard
      title="Sign in"
      lead={leadOf(search)}
      foot={
        <>
          {session?.mail ? <a href="/forgot-password">Forgot your password?</a> : null}
          {session && signUpRefusal(session.signUp, search.redirect) === undefined ? (
            <span>
              New here? <a href={addressOf('/sign-up', search)}>Create an account</a>
            </span>
          ) : null}
          <MailboxLink session={session} />
        </>
      }
    >
      <AuthForm submit="Sign in" onSubmit={fields.onSubmit(submit)} {...sending}>
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
      </AuthForm>
    </AuthCard>
  );
}

function leadOf({ redirect, ended }: SignInSearch): string {
  if (ended && hasDrafts())
    return 'Your sign-in session has ended. Sign in to continue; what you typed is kept.';
  if (ended) return 'Your sign-in session has ended. Sign in to continue.';
  return redirect ? 'Sign in to continue.' : 'Manage your webinars, registrations and webhooks.';
}

export function SignUpPage({ search, session, invitedEmail, onEnter }: SignInPageProps) {
  const [sentTo, setSentTo] = useState<string>();
  const refusal = session && signUpRefusal(session.signUp, search.redirect);
  if (sentTo !== undefined)
    return (
      <CheckMail session={session} foot={<a href={addressOf('/sign-in', search)}>Back to sign-in</a>}>
        {sentTo} gets a mail with a link to finish your sign-up. The link works for a day. If the address has
        an account already, the mail says so.
      </CheckMail>
    );
  return (
    <AuthCard
      title="Create an account"
      lead={refusal === undefined ? leadOfSignUp(session) : 'Not possible here.'}
      foot={
        <span>
          Have an account? <a href={addressOf('/sign-in', search)}>Sign in</a>
        </span>
      }
    >
      {refusal === undefined ? (
        <SignUpForm search={search} invitedEmail={invitedEmail} onEnter={onEnter} onMailed={setSentTo} />
      ) : (
        <Notice tone="info">{refusal}</Notice>
      )}
    </AuthCard>
  );
}

const leadOfSignUp = (session: Session | undefined): string =>
  session?.mail === 'smtp'
    ? 'You get a workspace of your own, after you have confirmed your address.'
    : 'You get a workspace of your own right away.';

interface SignUpFormProps extends Pick<SignInPageProps, 'search' | 'invitedEmail' | 'onEnter'> {
  /** Called with the address that gets a mail to finish the sign-up. */
  onMailed: (email: string) => void;
}

function SignUpForm({ search, invitedEmail, onEnter, onMailed }: SignUpFormProps) {
  const invitationId = invitationIdOf(search.redirect);
  const fields = useFields(
    {
      name: isFilled('Enter your name.'),
      email: isEmail('Enter an e-mail address.'),
      password: isPassword,
    },
    { email: invitedEmail },
  );
  const { submit, ...sending } = useSubmit({
    send: async (values: Omit<Parameters<typeof signUp>[0], 'invitationId'>) => ({
      ...(await signUp({ ...values, invitationId })),
      email: values.email,
    }),
    onSuccess: async ({ status, email }) => (status === 'check_mail' ? onMailed(email) : onEnter()),
  });
  return (
    <AuthForm submit="Create account" onSubmit={fields.onSubmit(submit)} {...sending}>
      <TextInput label="Name" autoComplete="name" autoFocus {...fields.propsOf('name')} />
      <TextInput label="E-mail" type="email" autoComplete="username" {...fields.propsOf('email')} />
      <PasswordField
        label="Password"
        description="At least 8 characters."
        autoComplete="new-password"
        {...fields.propsOf('password')}
      />
    </AuthForm>
  );
}
