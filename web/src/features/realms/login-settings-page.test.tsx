import { events } from '@quayside/contract/events/endpoints'
import {
  type BruteForceDetection,
  type LoginSettings,
  realms,
  type SecurityHeaders,
} from '@quayside/contract/realms/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { LoginSettingsPage } from './login-settings-page.tsx'

const login: LoginSettings = {
  ...{ registrationAllowed: false, registrationEmailAsUsername: false, editUsernameAllowed: false },
  ...{ resetPasswordAllowed: false, rememberMe: false, verifyEmail: false, loginWithEmailAllowed: true },
  ...{ duplicateEmailsAllowed: false, ssoSessionIdleTimeout: 1800, ssoSessionMaxLifespan: 36_000 },
}
const bruteForce: BruteForceDetection = {
  ...{ bruteForceProtected: true, permanentLockout: false, maxTemporaryLockouts: 0, bruteForceStrategy: 'MULTIPLE' },
  ...{ failureFactor: 10, waitIncrementSeconds: 60, maxFailureWaitSeconds: 900, maxDeltaTimeSeconds: 43_200 },
  ...{ quickLoginCheckMilliSeconds: 0, minimumQuickLoginWaitSeconds: 60 },
}
const headers: SecurityHeaders = {
  ...{ xFrameOptions: 'DENY', contentSecurityPolicy: "frame-ancestors 'none'", contentSecurityPolicyReportOnly: '' },
  ...{ xContentTypeOptions: 'nosniff', xRobotsTag: 'none', referrerPolicy: 'same-origin' },
  strictTransportSecurity: 'max-age=31536000',
}
const keptEvents = {
  ...{ eventsEnabled: true, eventsExpiration: 2_592_000, adminEventsEnabled: true, adminEventsDetailsEnabled: false },
  adminEventsExpiration: 31_536_000,
}
const action = { alias: 'CONFIGURE_TOTP', name: 'Configure OTP', enabled: true, defaultAction: false }

function open({ answers = {} as Answers, held = ['loginsettings.view', 'loginsettings.edit'] } = {}) {
  const echo = ({ body }: { body: unknown }) => body as never
  const calls = serving({
    ...answer(realms.loginSettings, login),
    ...answer(realms.bruteForceDetection, bruteForce),
    ...answer(realms.securityHeaders, headers),
    ...answer(events.eventSettings, keptEvents),
    ...answer(realms.requiredActions, { data: [action] }, { realm: 'demo' }),
    ...answer(realms.setLoginSettings, echo),
    ...answer(realms.setBruteForceDetection, echo),
    ...answer(realms.setSecurityHeaders, echo),
    ...answers,
  })
  drawInPortal(<LoginSettingsPage tabs={[]} />, { more: { 'quayside-portal-ui-iam-loginsettings': held } })
  return () => calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body])
}
const form = (name: string) => screen.findByRole('form', { name })
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
async function type(into: HTMLElement, text: string) {
  await userEvent.clear(into)
  if (text !== '') await userEvent.type(into, text)
}
async function answerQuestion(name: 'Cancel' | 'Confirm') {
  const question = await screen.findByRole('dialog', { name: 'Change how people sign in' })
  const words = question.textContent
  await userEvent.click(within(question).getByRole('button', { name }))
  return words
}

describe('signing in', () => {
  it('shows each setting with what it means and its recommended value', async () => {
    open()
    await form('Signing in')
    expect(box('Sign in with an e-mail address').checked).toBe(true)
    const described = (name: string) =>
      box(name)
        .getAttribute('aria-describedby')
        ?.split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join('')
    expect(described('Self-registration')).toContain('create their own account')
    expect(described('Self-registration')).toContain('Recommended: off')
    expect(described('Confirm e-mail addresses')).toContain('Recommended: on, where the identity server sends mail')
    expect(field('Sign out when idle for (seconds)').value).toBe('1800')
    expect(screen.getByText('30 minutes')).toBeDefined()
    expect(button('Save: Signing in').disabled).toBe(true)
  })

  it('is saved without a question where nothing opens, and with one where something does', async () => {
    const sent = open()
    await form('Signing in')
    await userEvent.click(box('Sign in with an e-mail address'))
    await type(field('Sign out when idle for (seconds)'), '900')
    await userEvent.click(button('Save: Signing in'))
    const first = { ...login, loginWithEmailAllowed: false, ssoSessionIdleTimeout: 900 }
    await waitFor(() => expect(sent()).toEqual([['/iam/v2/realms/login/settings', first]]))
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(box('Keep me signed in'))
    await userEvent.click(button('Save: Signing in'))
    expect(await answerQuestion('Cancel')).toContain('On a shared computer')
    expect(sent()).toHaveLength(1)
    await userEvent.click(button('Save: Signing in'))
    await answerQuestion('Confirm')
    await waitFor(() => expect(sent()[1]).toEqual(['/iam/v2/realms/login/settings', { ...first, rememberMe: true }]))
  })

  it('says at the field why the identity server refused it, and keeps what was chosen', async () => {
    const refusal = Object.assign(new Refusal(400, 'verifyEmail must be false: this identity server sends no mail'), {
      field: 'verifyEmail',
    })
    open({ answers: answer(realms.setLoginSettings, refusal) })
    await form('Signing in')
    await userEvent.click(box('Confirm e-mail addresses'))
    await userEvent.click(button('Save: Signing in'))
    await waitFor(() => expect(box('Confirm e-mail addresses').getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByText(refusal.message)).toBeDefined()
    expect(box('Confirm e-mail addresses').checked).toBe(true)
  })
})

describe('brute force detection', () => {
  it('is not switched off without a word', async () => {
    const sent = open()
    await form('Brute force detection')
    await userEvent.click(box('Lock out after wrong passwords'))
    await userEvent.click(button('Save: Brute force detection'))
    expect(await answerQuestion('Confirm')).toContain('attackers can guess passwords of everybody in this tenant')
    const path = '/iam/v2/realms/login/security-defenses/brute-force-detection'
    await waitFor(() => expect(sent()).toEqual([[path, { ...bruteForce, bruteForceProtected: false }]]))
  })

  it('takes numbers within their limits alone', async () => {
    open()
    await form('Brute force detection')
    await type(field('Wrong passwords before a lockout'), '1')
    expect(screen.getByText('Enter a whole number from 2 to 1000')).toBeDefined()
    expect(button('Save: Brute force detection').disabled).toBe(true)
    await userEvent.click(button('Discard changes: Brute force detection'))
    expect(field('Wrong passwords before a lockout').value).toBe('10')
  })

  it('asks how many locks end by themselves only where one does not', async () => {
    open()
    await form('Brute force detection')
    expect(screen.queryByRole('textbox', { name: 'Temporary lockouts before that' })).toBeNull()
    await userEvent.click(box('Lock out permanently'))
    expect(field('Temporary lockouts before that').value).toBe('0')
  })
})

describe('security headers', () => {
  it('that let others frame the sign-in page are asked about', async () => {
    const sent = open()
    await form('Security headers')
    await type(field('X-Frame-Options'), '')
    await userEvent.click(button('Save: Security headers'))
    expect(await answerQuestion('Confirm')).toContain('Other sites can embed the sign-in page')
    const path = '/iam/v2/realms/login/security-defenses/headers'
    await waitFor(() => expect(sent()).toEqual([[path, { ...headers, xFrameOptions: '' }]]))
  })

  it('have recommended settings at hand', async () => {
    open()
    await form('Security headers')
    await userEvent.click(button('Use recommended settings: Security headers'))
    expect(field('Content-Security-Policy').value).toBe("frame-src 'self'; frame-ancestors 'none'; object-src 'none';")
    expect(field('Strict-Transport-Security').value).toBe('max-age=31536000; includeSubDomains')
  })
})

it('lists what people can be asked to do', async () => {
  open()
  const table = await screen.findByRole('table', { name: 'Required actions' })
  await within(table).findByText('They set up an authenticator app as a second factor.')
  const row = within(table).getAllByRole('row')[1]
  expect([...(row?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Configure OTPCONFIGURE_TOTP',
    'They set up an authenticator app as a second factor.',
    'Yes',
    'No',
  ])
})

it('is closed to who only looks on, and says so', async () => {
  open({ held: ['loginsettings.view'] })
  await form('Security headers')
  expect(box('Keep me signed in').disabled).toBe(true)
  for (const name of ['Signing in', 'Brute force detection', 'Security headers'])
    expect((await screen.findByRole('button', { name: `Save: ${name}` })).getAttribute('aria-disabled')).toBe('true')
})

it('shows the other parts when one could not be read', async () => {
  open({ answers: answer(realms.bruteForceDetection, new Refusal(502, 'The identity server could not be reached.')) })
  const alert = await screen.findByRole('alert', { name: /^Brute force detection: / })
  expect(alert.textContent).toContain('The identity server could not be reached.')
  expect(await form('Signing in')).toBeDefined()
})
