import { defineErrors } from '@service/errors';

export const accountErrors = defineErrors({
  email_in_use: {
    kind: 'conflict',
    message: 'Somebody with this e-mail address has signed up already, and the password given is not theirs.',
  },
  workspace_not_found: { kind: 'not_found', message: 'There is no such workspace.' },
  member_not_found: { kind: 'not_found', message: 'There is no such member in this workspace.' },
  already_member: { kind: 'conflict', message: 'This person is a member of the workspace already.' },
  member_limit_reached: { kind: 'conflict', message: 'This workspace has as many members as it may have.' },
  last_owner: { kind: 'conflict', message: 'A workspace needs an owner. Make somebody else an owner first.' },
  sign_up_closed: {
    kind: 'forbidden',
    message: 'Sign-up is closed. Ask the operator of this service for an account.',
  },
  sign_up_invitation_required: {
    kind: 'forbidden',
    message:
      'Sign-up needs an invitation. Open the link of an invitation and sign up with the e-mail address that it names.',
  },
  too_many_attempts: {
    kind: 'rate_limited',
    message: 'Too many attempts. Wait a moment, then try again.',
  },
  invitation_not_found: { kind: 'not_found', message: 'There is no such invitation.' },
  invitation_limit_reached: {
    kind: 'conflict',
    message: 'Too many invitations are open. Cancel one that is not needed.',
  },
});
