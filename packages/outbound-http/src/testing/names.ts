// Names whose DNS answer must keep them from being dialled: one bad address among good ones is enough.

const PUBLIC = '93.184.215.14';

export const blockedNames: [name: string, addresses: string[]][] = [
  ['private.example', ['10.0.0.5']],
  ['loopback.example', ['127.0.0.1']],
  ['loopback-six.example', ['::1']],
  ['unspecified.example', ['0.0.0.0']],
  ['metadata.example', ['169.254.169.254']],
  ['mapped.example', ['::ffff:127.0.0.1']],
  ['mapped-metadata.example', ['::ffff:169.254.169.254']],
  ['compatible.example', ['::7f00:1']],
  ['nat64.example', ['64:ff9b::7f00:1']],
  ['public-then-private.example', [PUBLIC, '127.0.0.1']],
  ['private-then-public.example', ['127.0.0.1', PUBLIC]],
  ['public-and-loopback-six.example', [PUBLIC, '::1']],
  ['public-and-unique-local.example', [PUBLIC, 'fd00::5']],
];
