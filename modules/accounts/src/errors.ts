import { defineErrors } from '@service/errors';

export const accountErrors = defineErrors({
  email_in_use: {
    kind: 'conflict',
    message: 'A user with this e-mail address exists, and the password is wrong.',
  },
  workspace_not_found: {
    kind: 'not_found',
    message: 'There is no such workspace.',
  },
  member_not_found: {
    kind: 'not_found',
    message: 'There is no such member in this workspace.',
  },
  already_member: {
    kind: 'conflict',
    message: 'This person is already a member of the workspace.',
  },
  member_limit_reached: {
    kind: 'conflict',
    message: 'This workspace has the maximum number of members (500).',
  },
  workspace_limit_reached: {
    kind: 'conflict',
    message: 'You own the maximum number of workspaces (20).',
  },
  last_owner: {
    kind: 'conflict',
    message: 'A workspace needs an owner. Make another member an owner first.',
  },
  sign_up_closed: {
    kind: 'forbidden',
    message: 'Sign-up is closed. Ask the operator of this service for an account.',
  },
  sign_up_invitation_required: {
    kind: 'forbidden',
    message:
      'Sign-up needs an invitation. Open the link of your invitation and sign up with the invited e-mail address.',
  },
  link_invalid: {
    kind: 'not_found',
    message: 'This link was used, or it is too old, or a newer one was sent. Ask for a new link.',
  },
  sign_up_password_wrong: {
    kind: 'forbidden',
    message: 'The password is not the one of this sign-up. Sign up again if you have forgotten it.',
  },
  too_many_attempts: {
    kind: 'rate_limited',
    message: 'Too many attempts. Wait a moment, then try again.',
    pageMessage: 'Too many attempts.',
  },
  user_not_found: {
    kind: 'not_found',
    message: 'There is no user with this e-mail address.',
  },
  sign_in_session_not_found: {
    kind: 'not_found',
    message: 'This sign-in session has ended already.',
  },
  invitation_not_found: {
    kind: 'not_found',
    message: 'There is no such invitation.',
    pageMessage:
      'This invitation does not exist, was used, or has expired. Ask the person who invited you for a new one.',
  },
  invitation_limit_reached: {
    kind: 'conflict',
    message:
      'This workspace has the maximum number of open invitations (100). Cancel an invitation that is not needed.',
  },
});
