import { Button, TextInput } from '@mantine/core';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { passwordLength, signUp } from '../../session.ts';
import { AuthCard } from './auth-card.tsx';
import { addressOf } from './search.ts';
import { invitationIdOf, signUpRefusal, type SignInPageProps } from './sign-in.ts';
import { isEmail, isFilled, useFields } from './use-fields.ts';
import { useSubmit } from './use-submit.ts';

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
