import { Button, PasswordInput, TextInput } from '@mantine/core';
import { hasLength, isEmail, isNotEmpty, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { passwordLength, signUp } from '../../session.ts';
import { AuthCard } from './auth-card.tsx';
import { invitationIdOf, signUpRefusal, useEnter } from './sign-in.ts';

const route = getRouteApi('/sign-up');

export function SignUpPage() {
  const search = route.useSearch();
  const { session } = route.useRouteContext();
  const refusal = signUpRefusal(session.signUp, search.redirect);
  return (
    <AuthCard
      title="Create an account"
      lead={refusal === undefined ? 'You get a workspace of your own right away.' : 'Not possible here.'}
      foot={
        <>
          Have an account?{' '}
          <Link to="/sign-in" search={search}>
            Sign in
          </Link>
        </>
      }
    >
      {refusal === undefined ? <SignUpForm /> : <Notice tone="info">{refusal}</Notice>}
    </AuthCard>
  );
}

function SignUpForm() {
  const search = route.useSearch();
  const enter = useEnter(search.redirect);
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: isNotEmpty('Enter your name.'),
      email: isEmail('Enter an e-mail address.'),
      password: hasLength(passwordLength, `Use ${passwordLength.min} to ${passwordLength.max} characters.`),
    },
  });
  const { mutate, isPending, error } = useMutation({ mutationFn: signUp, onSuccess: enter });
  const invitationId = invitationIdOf(search.redirect);
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ ...values, invitationId }))} noValidate>
      {error ? <FailureNotice error={error} /> : null}
      <TextInput label="Name" autoComplete="name" autoFocus {...form.getInputProps('name')} />
      <TextInput label="E-mail" type="email" autoComplete="username" {...form.getInputProps('email')} />
      <PasswordInput
        label="Password"
        description="At least 8 characters."
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Button type="submit" fullWidth loading={isPending}>
        Create account
      </Button>
    </form>
  );
}
