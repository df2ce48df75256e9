import { defineErrors } from '@service/errors';

export const accountErrors = defineErrors({
  email_in_use: {
    kind: 'conflict',
    message: 'A user with this e-mail address exists, and the password is wrong.',
    remedy: 'Sign in with the password of this address, or reset it.',
  },
  workspace_not_found: {
    kind: 'not_found',
    message: 'There is no such workspace.',
    remedy: 'Choose a workspace of your list: you may have been removed from this one.',
  },
  member_not_found: {
    kind: 'not_found',
    message: 'There is no such member in this workspace.',
    remedy: 'Load the list of members again: the person may have been removed.',
  },
  already_member: {
    kind: 'conflict',
    message: 'This person is already a member of the workspace.',
    remedy: 'Change the role of the member instead of inviting the person again.',
  },
  member_limit_reached: {
    kind: 'conflict',
    message: 'This workspace has the maximum number of members (500).',
    remedy: 'Remove a member who no longer needs access, then invite the new one.',
  },
  workspace_limit_reached: {
    kind: 'conflict',
    message: 'You own the maximum number of workspaces (20).',
    remedy: 'Delete a workspace that you no longer need, then create the new one.',
  },
  last_owner: {
    kind: 'conflict',
    message: 'A workspace needs an owner. Make another member an owner first.',
    remedy: 'Make another member an owner, then repeat the change.',
  },
  sign_up_closed: {
    kind: 'forbidden',
    message: 'Sign-up is closed. Ask the operator of this service for an account.',
    remedy: 'Ask the operator of this service for an account.',
  },
  sign_up_invitation_required: {
    kind: 'forbidden',
    message:
      'Sign-up needs an invitation. Open the link of your invitation and sign up with the invited e-mail address.',
    remedy: 'Open the link of your invitation, or ask an owner of the workspace for one.',
  },
  link_invalid: {
    kind: 'not_found',
    message: 'This link was used, or it is too old, or a newer one was sent. Ask for a new link.',
    remedy: 'Ask for a new link, and open the newest one that arrives.',
  },
  sign_up_password_wrong: {
    kind: 'forbidden',
    message: 'The password is not the one of this sign-up. Sign up again if you have forgotten it.',
    remedy: 'Type the password of this sign-up, or sign up again.',
  },
  too_many_attempts: {
    kind: 'rate_limited',
    message: 'Too many attempts. Wait a moment, then try again.',
    pageMessage: 'Too many attempts.',
    remedy: 'Wait for a minute, then try once more or reset the password.',
  },
  user_not_found: {
    kind: 'not_found',
    message: 'There is no user with this e-mail address.',
    remedy: 'Check the address. It is the one with which the person signs in.',
  },
  session_not_found: {
    kind: 'not_found',
    message: 'This sign-in session has ended already.',
    remedy: 'Nothing needs to be done: it can make no more calls.',
  },
  invitation_not_found: {
    kind: 'not_found',
    message: 'There is no such invitation.',
    remedy: 'Ask an owner of the workspace to invite you again.',
    pageMessage:
      'This invitation does not exist, was used, or has expired. Ask the person who invited you for a new one.',
  },
  invitation_limit_reached: {
    kind: 'conflict',
    message:
      'This workspace has the maximum number of open invitations (100). Cancel an invitation that is not needed.',
    remedy: 'Cancel an open invitation that is not needed, then send the new one.',
  },
});
