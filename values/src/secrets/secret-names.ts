/**
 * Endings of names that hold a secret, once case and what stands between words are gone. Keys are listed one by one:
 * most that end in `key` are no secret.
 */
const endings = new RegExp(
  `(?:${[
    'pass(?:word|wd|phrase|code)s?',
    'pwd',
    'secret',
    'token',
    'credentials?',
    'connectionstring',
    'dockerconfigjson',
    '(?:access|account|api|app|auth|cookie|encryption|hmac|jwt|license|master|private|secret|session|shared|signing|ssh)key',
  ].join('|')})(?:value|hash|base64|b64)?$`,
)
const pass = /(?:^|[-_.])pass$|[a-z0-9]Pass$|(?:^|[_-])PASS$/
/** Names of Kubernetes Secrets and of keys in them, which point to a secret and are none. */
const reference =
  /existing|(?:pull|tls|ca|cert|certificate|image|registry|issuer|password|externals?|env(?:vars|from)?|certificates|certs|passwords|scripts|truststore|keystore)secret$|(?:password|token|user|username|auth)secretkey$/

/** Tells whether a text under this name is a secret although nobody says so. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_.\s]/g, '')
  return (endings.test(plain) || pass.test(name)) && !reference.test(plain)
}

const naming: ReadonlySet<unknown> = new Set(['name', 'key', 'envName'])

/**
 * Tells whether an entry of a map names a secret that stands beside it as `value`, as environment variables are
 * written.
 */
export function namesSecret(key: unknown, value: unknown): boolean {
  return naming.has(key) && isSecretName(String(value ?? ''))
}

/**
 * Tells whether the names on the way to a value say that it is a secret: its own or its list's, or what it stands in.
 */
export function isSecretPlace(path: readonly (string | number)[]): boolean {
  const last = path.findLast((part) => typeof part === 'string')
  return isSecretName(String(last ?? '')) || path.some((part) => isSecretTree(String(part)))
}

const trees = /^(?:stringdata|secretdata|secretenvs?|secretenvvars?|dockerconfigjson|auths)$/

/** Tells whether all that is in a map or list of this name is secret. */
export function isSecretTree(name: string): boolean {
  return trees.test(name.toLowerCase().replace(/[-_.]/g, ''))
}

/** Excludes placeholders that only look like a secret: `$(NAME)`, `{{ … }}`, `<yours>`, `***`, the mark. */
const noPlaceholder = `(?!["']?(?:[$<{%*•]|(?:true|false|null|none|yes|no)\\b))`
const settings =
  '(?:password|passwd|passphrase|pwd|(?:client|app)[_-]?secret|api[_-]?key|access[_-]?token|auth[_-]?token'
const keys = '(?:secret|private|account|access|shared(?:access)?|signing|encryption)[_-]?key)'
const setting = `${settings}|${keys}`

// Every repetition is bounded: what is looked through here may be large and hostile.
const inTexts: readonly RegExp[] = [
  new RegExp(`://[^\\s/:@]{0,200}:${noPlaceholder}([^\\s/@]{1,500})@`, 'g'),
  new RegExp(
    `(?:^|[;,&?\\s"'])[\\w.-]{0,40}${setting}\\s{0,5}=\\s{0,5}${noPlaceholder}["']?([^\\s;,&"']{1,500})`,
    'gim',
  ),
  new RegExp(
    `^[ \\t"'-]{0,40}[\\w.-]{0,40}${setting}["']?[ \\t]{0,5}:[ \\t]{1,5}${noPlaceholder}["']?([^\\s"']{1,500})["']?,?[ \\t]{0,5}$`,
    'gim',
  ),
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----([A-Za-z0-9+/=\s]{1,20000})/g,
  /(?:^|Authorization:\s{0,5}|["'])(?:Bearer|Basic)\s{1,5}(?=[A-Za-z+/_.=-]{0,200}\d)([A-Za-z0-9+/_.=-]{12,4000})/gm,
  /\b((?:gh[pousr]_|glpat-|xox[abeprs]-)[A-Za-z0-9_-]{16,200})/g,
  /\b(eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000})/g,
  /hooks\.slack\.com\/services\/([A-Za-z0-9/]{10,200})/g,
  /"auth"\s{0,5}:\s{0,5}"([A-Za-z0-9+/=]{4,2000})"/g,
]

/** The secrets inside of a text, whatever its name: the password of an address, a private key, a token. */
export function secretsInText(text: string): string[] {
  return inTexts.flatMap((pattern) => [...text.matchAll(pattern)].map((found) => found[1] ?? ''))
}
