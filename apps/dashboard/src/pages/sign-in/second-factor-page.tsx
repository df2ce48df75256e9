import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../session.ts';
import { AuthCard, AuthForm } from './auth-card.tsx';
import { addressOf, type SignInPageProps } from './search.ts';
import { isFilled, useFields, useSubmit } from './use-fields.ts';

/** The second step of a sign-in. */
export function SecondFactorPage({ search, onEnter }: Pick<SignInPageProps, 'search' | 'onEnter'>) {
  const fields = useFields({ code: isFilled('Enter the code.') });
  const [isRecoveryCode, setIsRecoveryCode] = useState(false);
  const [trustDevice, setTrustDevice] = useState(false);
  const { submit, ...sending } = useSubmit({
    send: ({ code }: { code: string }) => sendCode({ code, isRecoveryCode, trustDevice }),
    onSuccess: onEnter,
  });
  return (
    <AuthCard
      title="Enter the code"
      lead="Your password is correct. Your account also asks for a code."
      foot={<a href={addressOf('/sign-in', search)}>Back to sign-in</a>}
    >
      <AuthForm submit="Sign in" onSubmit={fields.onSubmit(submit)} {...sending}>
        <TextInput
          // Another field for each kind of code, so that it gets the focus.
          key={String(isRecoveryCode)}
          label={isRecoveryCode ? 'Recovery code' : 'Code of your authenticator app'}
          description={isRecoveryCode ? 'Each recovery code works once.' : 'Six digits.'}
          inputMode={isRecoveryCode ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus
          {...fields.propsOf('code')}
        />
        <Checkbox
          label="Do not ask in this browser for 30 days"
          checked={trustDevice}
          onChange={({ currentTarget }) => setTrustDevice(currentTarget.checked)}
        />
      </AuthForm>
      <Button variant="subtle" fullWidth mt={14} onClick={() => setIsRecoveryCode(!isRecoveryCode)}>
        {isRecoveryCode ? 'Use a code of the app' : 'Use a recovery code'}
      </Button>
    </AuthCard>
  );
}

interface SecondFactor {
  code: string;
  /** One of the recovery codes, instead of a code of the authenticator app. */
  isRecoveryCode: boolean;
  /** This browser is not asked again for 30 days. */
  trustDevice: boolean;
}

/** The paths are those of better-auth's plugin. Apps show codes in groups of digits, so spaces are taken out. */
const sendCode = ({ code, isRecoveryCode, trustDevice }: SecondFactor) =>
  post(`two-factor/${isRecoveryCode ? 'verify-backup-code' : 'verify-totp'}`, {
    code: code.replaceAll(/\s/g, ''),
    trustDevice,
  });
