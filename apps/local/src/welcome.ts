import type { DemoAccount } from './demo-account.ts';

interface Welcome {
  baseUrl: string;
  demo: DemoAccount | undefined;
  data: string;
  seconds: number;
}

/** What `npm start` says when everything runs. */
export function welcomeText({ baseUrl, demo, data, seconds }: Welcome): string {
  const signIn = demo ? `${demo.email}  password ${demo.password}` : 'with an account of this database';
  return `
  Running at  ${baseUrl}  (ready in ${seconds.toFixed(1)} s)

  Sign in     ${signIn}
  API docs    ${baseUrl}/api/v1/docs
  Data        ${data}
  Try it      npm run demo
  Stop        Ctrl-C
`;
}
