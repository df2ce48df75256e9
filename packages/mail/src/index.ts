export { defineMailTask, type MailTaskParts } from './mail-task.ts';
export {
  calendarFile,
  createMailer,
  isAddress,
  isThisMachine,
  MailError,
  oneLine,
  requireAddress,
  withoutPassword,
  type Mail,
  type Mailer,
} from './mailer.ts';
