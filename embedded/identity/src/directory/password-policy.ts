import { runInNewContext } from 'node:vm'
import { badRequest, Problem } from '../http/problem.ts'

export interface PolicyRule {
  name: string
  value: string
}

interface PolicySubject {
  username: string
  email: string | null
}

const LIMIT = 256
const countsCharacters = ['length', 'digits', 'lowerCase', 'upperCase', 'specialChars']

interface Check {
  message: string
  describe: (value: string) => string
  fails: (password: string, value: string, who: PolicySubject) => boolean
}

const fewer = (pattern: RegExp) => (password: string, value: string) =>
  (password.match(pattern)?.length ?? 0) < (Number(value) || 1)

const patternMs = 50

/** An administrator writes the pattern and a stranger the password: one that runs long counts as not met. */
function matches(pattern: string, password: string): boolean {
  try {
    const whole = `^(?:${pattern})$`
    return runInNewContext("new RegExp(whole, 'u').test(password)", { whole, password }, { timeout: patternMs })
  } catch {
    return false
  }
}

/** Rules of Keycloak's policy text that look at the password alone. Order is the order of complaint. */
const checks: Readonly<Record<string, Check>> = {
  length: {
    message: 'invalidPasswordMinLengthMessage',
    describe: (value) => `minimum length ${Number(value) || 8}.`,
    fails: (password, value) => [...password].length < (Number(value) || 8),
  },
  maxLength: {
    message: 'invalidPasswordMaxLengthMessage',
    describe: (value) => `maximum length ${Number(value) || 64}.`,
    fails: (password, value) => [...password].length > (Number(value) || 64),
  },
  digits: {
    message: 'invalidPasswordMinDigitsMessage',
    describe: (value) => `must contain at least ${Number(value) || 1} numerical digits.`,
    fails: fewer(/\p{Nd}/gu),
  },
  lowerCase: {
    message: 'invalidPasswordMinLowerCaseCharsMessage',
    describe: (value) => `must contain at least ${Number(value) || 1} lower case characters.`,
    fails: fewer(/\p{Ll}/gu),
  },
  upperCase: {
    message: 'invalidPasswordMinUpperCaseCharsMessage',
    describe: (value) => `must contain at least ${Number(value) || 1} upper case characters.`,
    fails: fewer(/\p{Lu}/gu),
  },
  specialChars: {
    message: 'invalidPasswordMinSpecialCharsMessage',
    describe: (value) => `must contain at least ${Number(value) || 1} special characters.`,
    fails: fewer(/[^\p{L}\p{N}]/gu),
  },
  notUsername: {
    message: 'invalidPasswordNotUsernameMessage',
    describe: () => 'must not be equal to the username.',
    fails: (password, _value, who) => password.toLowerCase() === who.username.toLowerCase(),
  },
  notContainsUsername: {
    message: 'invalidPasswordNotContainsUsernameMessage',
    describe: () => 'Can not contain the username.',
    fails: (password, _value, who) => password.toLowerCase().includes(who.username.toLowerCase()),
  },
  notEmail: {
    message: 'invalidPasswordNotEmailMessage',
    describe: () => 'must not be equal to the email.',
    fails: (password, _value, who) => password.toLowerCase() === who.email?.toLowerCase(),
  },
  regexPattern: {
    message: 'invalidPasswordRegexPatternMessage',
    describe: () => 'fails to match regex pattern(s).',
    fails: (password, value) => !matches(value, password),
  },
}

/** Rules that need the stored history and are looked at elsewhere. */
const historical = ['passwordHistory', 'forceExpiredPasswordChange']
/** Rules of Keycloak's that this server cannot obey; the hash is always argon2id. */
const unobeyed: Readonly<Record<string, string>> = {
  hashIterations: 'this identity server hashes passwords with argon2 at a cost of its own',
  hashAlgorithm: 'this identity server hashes passwords with argon2',
  passwordAge: 'this identity server keeps former passwords by their number, not by their age',
}

/** Splits `length(8) and digits(1) and notUsername(undefined)` into its rules. */
export function parsePolicy(policy: string | undefined): PolicyRule[] {
  return (policy ?? '')
    .split(/\s+and\s+/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const match = /^(\w+)(?:\((.*)\))?$/s.exec(part)
      return { name: match?.[1] ?? part, value: match?.[2] ?? '' }
    })
}

/** Refuses a policy text that names an unknown rule or carries a value that cannot be used. */
export function checkPolicyText(policy: string): void {
  for (const { name, value } of parsePolicy(policy)) {
    if (name in unobeyed && !(name === 'hashAlgorithm' && value === 'argon2'))
      throw badRequest(`passwordPolicy: ${name} cannot be obeyed: ${unobeyed[name]}`)
    if (!(name in checks) && !historical.includes(name) && name !== 'hashAlgorithm') {
      throw badRequest(`Password policy not found: ${name}`)
    }
    if (name === 'regexPattern') {
      try {
        new RegExp(value, 'u')
      } catch {
        throw badRequest('Invalid regular expression in password policy')
      }
    } else if (value !== '' && value !== 'undefined' && name !== 'hashAlgorithm' && !/^\d{1,5}$/.test(value)) {
      throw badRequest(`Invalid value for password policy ${name}: a whole number is expected`)
    }
    if (countsCharacters.includes(name) && Number(value) > LIMIT)
      throw badRequest(`Invalid value for password policy ${name}: a password has at most ${LIMIT} characters`)
  }
  mustBeMeetable(parsePolicy(policy))
}

const kindsOfCharacters = ['digits', 'lowerCase', 'upperCase', 'specialChars']

/** Refuses rules that no password can meet all together. */
function mustBeMeetable(rules: readonly PolicyRule[]): void {
  const numberOf = (name: string) => rules.filter((rule) => rule.name === name).map(({ value }) => Number(value) || 1)
  const most = Math.min(LIMIT, ...numberOf('maxLength'))
  const least = Math.max(
    ...numberOf('length'),
    kindsOfCharacters.flatMap(numberOf).reduce((sum, one) => sum + one, 0),
  )
  if (least > most) throw badRequest(`passwordPolicy: no password of at most ${most} characters can meet these rules`)
}

/** The first rule that the password breaks, as Keycloak's message key and sentence; undefined when it is good. */
export function policyProblem(policy: string | undefined, password: string, who: PolicySubject): Problem | undefined {
  const broken = (message: string, text: string) =>
    new Problem(400, { error: message, error_description: `Invalid password: ${text}` })
  if (password === '') return broken('invalidPasswordMinLengthMessage', 'minimum length 1.')
  if (password.length > LIMIT) return broken('invalidPasswordMaxLengthMessage', `maximum length ${LIMIT}.`)
  for (const { name, value } of parsePolicy(policy)) {
    const check = checks[name]
    if (check?.fails(password, value, who)) return broken(check.message, check.describe(value))
  }
  return undefined
}

/** How many former passwords may not come back. */
export function historyLength(policy: string | undefined): number {
  const rule = parsePolicy(policy).find(({ name }) => name === 'passwordHistory')
  return rule ? Number(rule.value) || 3 : 0
}

/** After how many days a password has to be changed; undefined when never. */
export function expiryDays(policy: string | undefined): number | undefined {
  const rule = parsePolicy(policy).find(({ name }) => name === 'forceExpiredPasswordChange')
  return rule ? Number(rule.value) || 365 : undefined
}
