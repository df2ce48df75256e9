import { Button, PasswordInput, TextInput } from '@mantine/core';
import { hasLength, isEmail, isNotEmpty, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { signUp } from '../../session.ts';
import { AuthCard } from './auth-card.tsx';
import { useEnter } from './use-enter.ts';

const route = getRouteApi('/sign-up');

/** better-auth's own bounds for a password. */
const passwordLength = { min: 8, max: 128 };

export function SignUpPage() {
  const search = route.useSearch();
  const enter = useEnter(search.redirect);
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: isNotEmpty('Tell us your name.'),
      email: isEmail('Enter an e-mail address.'),
      password: hasLength(passwordLength, `Use ${passwordLength.min} to ${passwordLength.max} characters.`),
    },
  });
  const { mutate, isPending, error } = useMutation({ mutationFn: signUp, onSuccess: enter });
  return (
    <AuthCard
      title="Create an account"
      lead="You get a workspace of your own right away."
      foot={
        <>
          Have an account?{' '}
          <Link to="/sign-in" search={search}>
            Sign in
          </Link>
        </>
      }
    >
      <form onSubmit={form.onSubmit((values) => mutate(values))} noValidate>
        {error ? <FailureNotice error={error} /> : null}
        <TextInput label="Name" autoComplete="name" autoFocus {...form.getInputProps('name')} />
        <TextInput label="Email" type="email" autoComplete="username" {...form.getInputProps('email')} />
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
    </AuthCard>
  );
}
