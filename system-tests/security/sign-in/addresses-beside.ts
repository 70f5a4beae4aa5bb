const otherSchemes = ['http', 'app', 'ftp', 'ws', 'javascript', 'data', 'vbscript', 'file', 'blob']

/** Hosts that are taken for `app.example`; in two of them a letter or the dot is one of another script. */
const otherHosts = [
  ...[
    'evil.example',
    'app.example.evil.example',
    'evil-app.example',
    'app.example:8443',
    'app.example:443',
    'APP.example',
  ],
  ...[
    'app.example.',
    'app.example%2eevil.example',
    'user@app.example',
    'app.example@evil.example',
    'app.example%00.evil',
  ],
  ...['app.example\\.evil.example', 'app.example%23.evil.example', '\u0430pp.example', 'app\u3002example'],
  ...['[::1]', '127.0.0.1', '*'],
]

const otherPaths = [
  ...[
    '',
    '/',
    '/Back',
    '/back/',
    '/back/more',
    '//back',
    '/./back',
    '/x/../back',
    '/x/%2e%2e/back',
    '/back;x',
    '/back%20',
  ],
  ...['/back?', '/back?x=1', '/back#', '/back#x', '/back%23', '/back\\', '/back%5c..', '/*', '/back*'],
]

const noAddresses = ['//app.example/back', '/back', 'back', '', ' ']

/** Ways out of `/en/`, below which every address is registered. */
const outside = [
  ...[
    '/en',
    '/enemy',
    '/en/../admin',
    '/en/%2e%2e/admin',
    '/en/..%2fadmin',
    '/en/.%2e/x',
    '/en/a\\..\\b',
    '/en/#x',
    '/en/*',
  ],
  ...['.evil.example/en/', '@evil.example/en/'],
]

/**
 * Addresses that look like registered ones and are none.
 * @param good the registered address, `https://app.example/back`
 * @param own an origin of which everything below `/en/` is registered
 */
export function addressesBeside(good: string, own: string): string[] {
  return [
    ...otherSchemes.map((scheme) => good.replace('https', scheme)),
    ...otherHosts.map((host) => good.replace('app.example', host)),
    ...otherPaths.map((path) => good.replace('/back', path)),
    ...noAddresses,
    ...outside.map((end) => own + end),
    ...[`${good} https://evil.example`, `${good}\nhttps://evil.example`, `${own.replace('://', '://user:x@')}/en/`],
  ]
}
