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
    means: 'People type their user name or their e-mail address. Off: the user name alone.',
  },
  {
    ...{ kind: 'switch', key: 'rememberMe', label: 'Keep me signed in', safe: false },
    means: 'The sign-in page offers to stay signed in when the browser is closed.',
    warns: whenOn(
      'On a computer that several people use, whoever opens the browser next may be signed in as the last one.',
    ),
  },
  {
    ...{ kind: 'switch', key: 'registrationAllowed', label: 'People register themselves', safe: false },
    means: 'The sign-in page offers to make an account. Off: somebody with the right to add users makes it.',
    warns: whenOn(
      'Whoever finds the sign-in page can make an account, with the roles that everybody has from the start.',
    ),
  },
  {
    ...{ kind: 'switch', key: 'registrationEmailAsUsername', label: 'E-mail address as user name', safe: false },
    means: 'Who registers has no user name of their own but their e-mail address.',
    shown: ({ registrationAllowed, registrationEmailAsUsername }) => registrationAllowed || registrationEmailAsUsername,
  },
  {
    ...{ kind: 'switch', key: 'resetPasswordAllowed', label: 'Forgotten password', safe: false },
    means: 'The sign-in page mails a link for a new password. Off: somebody who manages users sets one.',
    warns: whenOn("Whoever reads somebody's mailbox can set their password."),
  },
  {
    ...{ kind: 'switch', key: 'verifyEmail', label: 'Confirm e-mail addresses' },
    safeWords: 'on, where the identity server sends mail',
    means: 'At their first sign-in people open a link that is mailed to their address.',
    warns: (next: boolean) => (next ? undefined : 'An address that nobody has confirmed may be that of somebody else.'),
  },
  {
    ...{ kind: 'switch', key: 'duplicateEmailsAllowed', label: 'One e-mail address for several people', safe: false },
    means: 'Several people may have the same address; nobody can sign in with it then.',
    warns: whenOn('Mail about one account can reach the owner of another.'),
  },
  {
    ...{ kind: 'switch', key: 'editUsernameAllowed', label: 'User names can be changed', safe: false },
    means: 'People, and those who manage users, can change a user name. Off: it stays what it was at the start.',
    warns: whenOn('Somebody can take a user name that was that of somebody else before.'),
  },
  {
    ...{ kind: 'number', key: 'ssoSessionIdleTimeout', label: 'Signed out when idle for', unit: 'seconds', safe: 1800 },
    limits: limits.ssoSessionIdleTimeout,
    means: 'Somebody who does nothing for as long has to sign in again.',
    warns: whenMore('Who finds an open browser has longer to use it.'),
  },
  {
    ...{ kind: 'number', key: 'ssoSessionMaxLifespan', label: 'Signed out at the latest after', unit: 'seconds' },
    ...{ safe: 36_000, limits: limits.ssoSessionMaxLifespan },
    means: 'However busy somebody is, they sign in again after this time: a working day.',
    warns: whenMore('A session that somebody has stolen counts for longer.'),
  },
]

/** Defence against guessing of passwords. */
export const bruteForceTable: readonly Setting<BruteForceDetection>[] = [
  {
    ...{ kind: 'switch', key: 'bruteForceProtected', label: 'Lock out after wrong passwords', safe: true },
    means: 'Who types too many wrong passwords for an account has to wait, also with the right one.',
    warns: (next: boolean) =>
      next
        ? undefined
        : 'The limits of this page end: passwords of everybody in this tenant can be guessed far longer.',
  },
  {
    ...{ kind: 'number', key: 'failureFactor', label: 'Wrong passwords until then', safe: 10 },
    limits: limits.failureFactor,
    means: 'People mistype a few times, machines thousands of times.',
    warns: whenMore('More passwords can be tried before somebody has to wait.'),
  },
  {
    ...{ kind: 'number', key: 'waitIncrementSeconds', label: 'Wait at first', unit: 'seconds', safe: 60 },
    limits: limits.waitIncrementSeconds,
    means: 'How long somebody is locked out for the first time. Each further time it is as much longer.',
    warns: whenLess('Guessing goes on sooner.'),
  },
  {
    ...{ kind: 'number', key: 'maxFailureWaitSeconds', label: 'Longest wait', unit: 'seconds', safe: 900 },
    limits: limits.maxFailureWaitSeconds,
    means: 'The wait grows to this and no further.',
    warns: whenLess('Guessing goes on sooner.'),
  },
  {
    ...{ kind: 'choice', key: 'bruteForceStrategy', label: 'When the wait grows', safe: 'MULTIPLE' },
    options: [
      { value: 'MULTIPLE', label: 'Each time as many wrong passwords have come again' },
      { value: 'LINEAR', label: 'With every further wrong password' },
    ],
    means: 'The second is stricter, with guessers and with people who have forgotten their password.',
    warns: (next: string) => (next === 'MULTIPLE' ? 'Several passwords can be tried between two waits.' : undefined),
  },
  {
    ...{ kind: 'number', key: 'maxDeltaTimeSeconds', label: 'Count forgotten after', unit: 'seconds', safe: 43_200 },
    limits: limits.maxDeltaTimeSeconds,
    means: 'Without a wrong password for as long, counting begins anew.',
    warns: whenLess('Who guesses slowly is never locked out.'),
  },
  {
    ...{ kind: 'switch', key: 'permanentLockout', label: 'Locked out for good', safe: false },
    means:
      'A lock has no end until somebody ends it on the page Users. Whoever knows a user name can then lock that person out.',
    warns: whenOn(
      'Whoever knows a user name can lock that person out until somebody lets them in again, you included.',
    ),
  },
  {
    ...{ kind: 'number', key: 'maxTemporaryLockouts', label: 'Locks with an end before that', safe: 3 },
    limits: limits.maxTemporaryLockouts,
    means: 'After as many locks that end by themselves the next one has no end.',
    shown: ({ permanentLockout }) => permanentLockout,
  },
  {
    ...{ kind: 'number', key: 'quickLoginCheckMilliSeconds', label: 'Attempts of a machine', unit: 'milliseconds' },
    safeWords: '1000 on Keycloak; the embedded identity server takes 0 alone',
    limits: limits.quickLoginCheckMilliSeconds,
    means: 'Two wrong passwords within this time come from a machine, and are waited for at once. 0: not looked at.',
    warns: whenLess('A machine can try passwords faster.'),
  },
  {
    ...{ kind: 'number', key: 'minimumQuickLoginWaitSeconds', label: 'Wait of a machine', unit: 'seconds', safe: 60 },
    limits: limits.minimumQuickLoginWaitSeconds,
    means: 'How long such attempts are locked out.',
    shown: ({ quickLoginCheckMilliSeconds }) => quickLoginCheckMilliSeconds > 0,
    warns: whenLess('A machine can try passwords faster.'),
  },
]
