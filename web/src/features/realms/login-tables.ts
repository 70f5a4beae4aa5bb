import type { BruteForceDetection, LoginSettings } from '@quayside/contract/realms/endpoints'
import { limitsOfSettings as limits } from '@quayside/contract/realms/limits'
import type { Setting } from './setting.ts'

const whenOn = (sentence: string) => (next: boolean) => (next ? sentence : undefined)
const whenMore = (sentence: string) => (next: number, before: number) => (next > before ? sentence : undefined)
const whenLess = (sentence: string) => (next: number, before: number) => (next < before ? sentence : undefined)

/** How people sign in, and how long they stay signed in. */
export const loginTable: readonly Setting<LoginSettings>[] = [
  {
    ...{ kind: 'switch', key: 'loginWithEmailAllowed', label: 'Sign in with an e-mail address', safe: true },
    means: 'People sign in with their user name or e-mail address. When off, only with the user name.',
  },
  {
    ...{ kind: 'switch', key: 'rememberMe', label: 'Keep me signed in', safe: false },
    means: 'The sign-in page offers to keep people signed in after they close the browser.',
    warns: whenOn('On a shared computer, the next person to open the browser may still be signed in as somebody else.'),
  },
  {
    ...{ kind: 'switch', key: 'registrationAllowed', label: 'Self-registration', safe: false },
    means: 'People can create their own account on the sign-in page. When off, an administrator creates it.',
    warns: whenOn('Anyone who can open the sign-in page can create an account, which gets the default roles.'),
  },
  {
    ...{ kind: 'switch', key: 'registrationEmailAsUsername', label: 'E-mail address as user name', safe: false },
    means: 'People who register use their e-mail address as their user name.',
    shown: ({ registrationAllowed, registrationEmailAsUsername }) => registrationAllowed || registrationEmailAsUsername,
  },
  {
    ...{ kind: 'switch', key: 'resetPasswordAllowed', label: 'Forgotten password', safe: false },
    means: 'People can have a link for a new password mailed to them. When off, an administrator sets a new password.',
    warns: whenOn("Anyone who can read a person's mail can set that person's password."),
  },
  {
    ...{ kind: 'switch', key: 'verifyEmail', label: 'Confirm e-mail addresses' },
    safeWords: 'on, where the identity server sends mail',
    means: 'At their first sign-in, people open a link that was mailed to them.',
    warns: (next: boolean) => (next ? undefined : 'An unconfirmed address may belong to somebody else.'),
  },
  {
    ...{ kind: 'switch', key: 'duplicateEmailsAllowed', label: 'One e-mail address for several people', safe: false },
    means: 'Several people may have the same e-mail address. Nobody can then sign in with an address.',
    warns: whenOn('Mail about one account can reach the owner of another account.'),
  },
  {
    ...{ kind: 'switch', key: 'editUsernameAllowed', label: 'User names can be changed', safe: false },
    means: 'People and administrators can change user names. When off, a user name never changes.',
    warns: whenOn('A person can take a user name that used to belong to somebody else.'),
  },
  {
    ...{ kind: 'number', key: 'ssoSessionIdleTimeout', label: 'Sign out when idle for', unit: 'seconds', safe: 1800 },
    limits: limits.ssoSessionIdleTimeout,
    means: 'People who do nothing for this long must sign in again.',
    warns: whenMore('An unattended browser can be misused for longer.'),
  },
  {
    ...{ kind: 'number', key: 'ssoSessionMaxLifespan', label: 'Sign out at the latest after', unit: 'seconds' },
    ...{ safe: 36_000, limits: limits.ssoSessionMaxLifespan },
    means: 'People must sign in again after this time, even while they are working.',
    warns: whenMore('A stolen session can be used for longer.'),
  },
]

/** Defence against guessing of passwords. */
export const bruteForceTable: readonly Setting<BruteForceDetection>[] = [
  {
    ...{ kind: 'switch', key: 'bruteForceProtected', label: 'Lock out after wrong passwords', safe: true },
    means: 'After too many wrong passwords for an account, sign-in has to wait, even with the right password.',
    warns: (next: boolean) =>
      next
        ? undefined
        : 'The limits on this page no longer apply: attackers can guess passwords of everybody in this tenant.',
  },
  {
    ...{ kind: 'number', key: 'failureFactor', label: 'Wrong passwords before a lockout', safe: 10 },
    limits: limits.failureFactor,
    means: 'People mistype a few times. Attackers try thousands of passwords.',
    warns: whenMore('More passwords can be tried before a lockout.'),
  },
  {
    ...{ kind: 'number', key: 'waitIncrementSeconds', label: 'First wait', unit: 'seconds', safe: 60 },
    limits: limits.waitIncrementSeconds,
    means: 'How long the first lockout lasts. Each further lockout lasts this much longer.',
    warns: whenLess('Attackers can continue guessing sooner.'),
  },
  {
    ...{ kind: 'number', key: 'maxFailureWaitSeconds', label: 'Longest wait', unit: 'seconds', safe: 900 },
    limits: limits.maxFailureWaitSeconds,
    means: 'A lockout never lasts longer than this.',
    warns: whenLess('Attackers can continue guessing sooner.'),
  },
  {
    ...{ kind: 'choice', key: 'bruteForceStrategy', label: 'When the wait grows', safe: 'MULTIPLE' },
    options: [
      { value: 'MULTIPLE', label: 'After each further round of wrong passwords' },
      { value: 'LINEAR', label: 'With every further wrong password' },
    ],
    means: 'The second choice is stricter, for attackers and for people who have forgotten their password.',
    warns: (next: string) => (next === 'MULTIPLE' ? 'Several passwords can be tried between two lockouts.' : undefined),
  },
  {
    ...{ kind: 'number', key: 'maxDeltaTimeSeconds', label: 'Reset the count after', unit: 'seconds', safe: 43_200 },
    limits: limits.maxDeltaTimeSeconds,
    means: 'The count starts again after this long without a wrong password.',
    warns: whenLess('An attacker who guesses slowly is never locked out.'),
  },
  {
    ...{ kind: 'switch', key: 'permanentLockout', label: 'Lock out permanently', safe: false },
    means:
      'A lockout lasts until an administrator lifts it on the page Users. Anyone who knows a user name can lock that person out.',
    warns: whenOn(
      'Anyone who knows a user name can lock that person out until an administrator lifts the lockout. This includes you.',
    ),
  },
  {
    ...{ kind: 'number', key: 'maxTemporaryLockouts', label: 'Temporary lockouts before that', safe: 3 },
    limits: limits.maxTemporaryLockouts,
    means: 'After this many temporary lockouts, the next one is permanent.',
    shown: ({ permanentLockout }) => permanentLockout,
  },
  {
    ...{ kind: 'number', key: 'quickLoginCheckMilliSeconds', label: 'Automated attempts', unit: 'milliseconds' },
    safeWords: '1000 on Keycloak; the embedded identity server supports only 0',
    limits: limits.quickLoginCheckMilliSeconds,
    means: 'Two wrong passwords within this time count as automated and cause a lockout at once. 0 turns this off.',
    warns: whenLess('Automated attempts can be made faster.'),
  },
  {
    ...{
      kind: 'number',
      key: 'minimumQuickLoginWaitSeconds',
      label: 'Wait after automated attempts',
      unit: 'seconds',
      safe: 60,
    },
    limits: limits.minimumQuickLoginWaitSeconds,
    means: 'How long a lockout after automated attempts lasts.',
    shown: ({ quickLoginCheckMilliSeconds }) => quickLoginCheckMilliSeconds > 0,
    warns: whenLess('Automated attempts can be made faster.'),
  },
]
