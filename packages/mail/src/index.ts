export { defineMailTask, type MailTaskParts } from './mail-task.ts';
export { calendarFile, createMailer, oneLine, requireAddress, type Mail, type Mailer } from './mailer.ts';
