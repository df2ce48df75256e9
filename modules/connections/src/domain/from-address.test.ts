import { expect, test } from 'vitest';
import { findDomainProblem, refuseFreeMail } from './from-address.ts';

test.each([
  ['ada@gmail.com', undefined, true],
  ['ada@GMAIL.com', 'smtp.example.com', true],
  ['ada@gmail.com', 'smtp.gmail.com', false],
  ['ada@gmail.com', 'SMTP.gmail.com.', false],
  ['ada@gmail.com', 'evilgmail.com', true],
  ['ada@gmail.com', 'gmail.com.example.com', true],
  ['ada@outlook.com', 'smtp.office365.com', false],
  ['ada@outlook.com', 'smtp.gmail.com', true],
  ['ada@example.com', undefined, false],
  ['ada@mail.gmail.com', undefined, false],
])('%s through %s: refused is %s', (address, host, isRefused) =>
  expect(refuseFreeMail(address, host) !== undefined).toBe(isRefused),
);

const domains = [
  { name: 'Example.com', isVerified: true },
  { name: 'new.example.org', isVerified: false },
];

test.each([
  ['ada@example.com', domains, undefined],
  ['ada@mail.example.com', domains, undefined],
  ['ada@new.example.org', domains, 'The domain new.example.org is not verified at Resend yet.'],
  [
    'ada@notexample.com',
    domains,
    'The domain notexample.com is not among the domains of this account at Resend.',
  ],
  ['ada@anything.com', [], undefined],
])('the problem of the domain of %s', (address, known, problem) =>
  expect(findDomainProblem(address, known, 'Resend')).toBe(problem),
);
