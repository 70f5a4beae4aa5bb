import { type OtpPolicy, realms } from '@quayside/contract/realms/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { PoliciesPage } from './policies-page.tsx'

const codes: OtpPolicy = {
  ...{ otpPolicyType: 'totp', otpPolicyAlgorithm: 'HmacSHA1', otpPolicyDigits: 6, otpPolicyLookAheadWindow: 1 },
  ...{ otpPolicyPeriod: 30, otpPolicyInitialCounter: 0, otpPolicyCodeReusable: false },
}

async function open(
  passwordPolicy: string,
  { answers = {} as Answers, held = ['policies.view', 'policies.edit'] } = {},
) {
  const echo = ({ body }: { body: unknown }) => body as never
  const calls = serving({
    ...answer(realms.passwordPolicy, { passwordPolicy }),
    ...answer(realms.otpPolicy, codes),
    ...answer(realms.setPasswordPolicy, echo),
    ...answer(realms.setOtpPolicy, echo),
    ...answers,
  })
  drawInPortal(<PoliciesPage />, { more: { 'quayside-portal-ui-iam-policies': held } })
  const sent = () => calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body])
  return { calls, sent }
}
const form = (name: string) => screen.findByRole('form', { name })
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const field = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name })
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const save = () => userEvent.click(button('Save: Password policy'))
async function type(into: HTMLElement, text: string) {
  await userEvent.clear(into)
  await userEvent.type(into, text)
}
async function answerQuestion(name: 'Cancel' | 'Confirm') {
  const question = await screen.findByRole('dialog')
  const words = question.textContent
  await userEvent.click(within(question).getByRole('button', { name }))
  return words
}

describe('the password policy', () => {
  it('is built of rules, and keeps those that it does not know', async () => {
    const { sent } = await open('length(8) and regexPattern(x.*) and notUsername(undefined)')
    await form('Password policy')
    expect(box('Shortest length').checked).toBe(true)
    expect(field('Shortest length: characters').value).toBe('8')
    expect(box('Digits').checked).toBe(false)
    expect(field('Further rules').value).toBe('regexPattern(x.*)')
    expect(button('Save: Password policy').disabled).toBe(true)
    await userEvent.click(box('Digits'))
    await type(field('Digits: at least'), '2')
    await type(field('Shortest length: characters'), '14')
    await save()
    const passwordPolicy = 'length(14) and notUsername(undefined) and digits(2) and regexPattern(x.*)'
    await waitFor(() => expect(sent()).toEqual([['/iam/v2/realms/policies/password', { passwordPolicy }]]))
    expect(await screen.findByText('Saved')).toBeDefined()
    expect(button('Save: Password policy').disabled).toBe(true)
  })

  it('that is made weaker is asked about in plain words, and stays when somebody thinks again', async () => {
    const { sent } = await open('length(12) and notUsername(undefined)')
    await form('Password policy')
    await userEvent.click(box('Not the user name'))
    await type(field('Shortest length: characters'), '6')
    await save()
    const words = await answerQuestion('Cancel')
    expect(words).toContain('No longer required: Not the user name.')
    expect(words).toContain('Shorter passwords are accepted')
    expect(sent()).toEqual([])
    expect(field('Shortest length: characters').value).toBe('6')
    await userEvent.click(box('Shortest length'))
    await save()
    expect(await answerQuestion('Confirm')).toContain('even a single letter')
    await waitFor(() => expect(sent()).toEqual([['/iam/v2/realms/policies/password', { passwordPolicy: '' }]]))
  })

  it('takes no number that is none, and discards what was changed', async () => {
    await open('length(8)')
    await form('Password policy')
    await type(field('Shortest length: characters'), '0')
    expect(screen.getAllByText('length takes a whole number from 1 to 256').length).toBeGreaterThan(0)
    expect(button('Save: Password policy').disabled).toBe(true)
    await userEvent.click(button('Discard changes: Password policy'))
    expect(field('Shortest length: characters').value).toBe('8')
  })

  it('has safe rules at hand', async () => {
    const { sent } = await open('digits(1)')
    await form('Password policy')
    await userEvent.click(button('Use recommended settings: Password policy'))
    await save()
    await answerQuestion('Confirm')
    const passwordPolicy =
      'length(12) and notUsername(undefined) and notContainsUsername(undefined) and notEmail(undefined) and passwordHistory(3)'
    await waitFor(() => expect(sent()).toEqual([['/iam/v2/realms/policies/password', { passwordPolicy }]]))
  })

  it('that the identity server refuses keeps what was typed, with its words', async () => {
    const refusal = new Refusal(400, 'passwordPolicy: passwordAge cannot be obeyed')
    await open('length(8)', { answers: answer(realms.setPasswordPolicy, refusal) })
    await form('Password policy')
    await userEvent.type(field('Further rules'), 'passwordAge(30)')
    await save()
    expect(await screen.findByText('passwordPolicy: passwordAge cannot be obeyed')).toBeDefined()
    expect(field('Further rules').value).toBe('passwordAge(30)')
  })
})

describe('the tester', () => {
  const verdicts = () =>
    within(screen.getByRole('list', { name: 'Rules and the password' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  it('judges a password in the browser by the rules on the page, and sends it nowhere', async () => {
    const { calls } = await open('length(8) and notContainsUsername(undefined) and passwordHistory(3)')
    await form('Password policy')
    const before = calls.length
    const typed = screen.getByLabelText('Password to try')
    await userEvent.type(typed, 'ines 24')
    expect(verdicts()).toEqual([
      'At least 8 charactersNot met',
      'Does not contain the user nameNot met',
      'None of the last 3 passwordsChecked when the password is set',
    ])
    expect(screen.getByText('This password does not meet 2 rules.')).toBeDefined()
    await userEvent.click(box('Digits'))
    await type(typed, 'a harbour at 9')
    expect(verdicts()).toEqual([
      'At least 8 charactersMet',
      'Does not contain the user nameMet',
      'None of the last 3 passwordsChecked when the password is set',
      'Digits: at least 1Met',
    ])
    await type(field('User name'), 'harbour')
    expect(verdicts()[1]).toBe('Does not contain the user nameNot met')
    expect(calls.slice(before)).toEqual([])
    expect(JSON.stringify(calls)).not.toContain('harbour')
    expect([localStorage.length, sessionStorage.length, location.href.includes('harbour')]).toEqual([0, 0, false])
  })

  it('says that without rules anything is accepted', async () => {
    await open('')
    await form('Password policy')
    await userEvent.type(screen.getByLabelText('Password to try'), 'x')
    expect(screen.getByText('There are no rules: any password is accepted.')).toBeDefined()
  })
})

describe('one-time codes', () => {
  it('are set as a whole; shorter ones that can be used again are asked about', async () => {
    const { sent } = await open('', { answers: answer(realms.otpPolicy, { ...codes, otpPolicyDigits: 8 }) })
    await form('One-time codes')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Digits' }), '6')
    await userEvent.click(box('A code works more than once'))
    await userEvent.click(button('Save: One-time codes'))
    const words = await answerQuestion('Confirm')
    expect(words).toContain('Shorter codes are easier to guess.')
    expect(words).toContain('Anyone who has seen a code being typed can use it too.')
    await waitFor(() => expect(sent()).toEqual([['/iam/v2/otp', { ...codes, otpPolicyCodeReusable: true }]]))
  })

  it('ask for what their kind needs alone', async () => {
    await open('')
    await form('One-time codes')
    expect(field('A code is valid for (seconds)').value).toBe('30')
    expect(screen.queryByRole('textbox', { name: 'First number' })).toBeNull()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Codes change' }), 'hotp')
    expect(field('First number').value).toBe('0')
    expect(screen.queryByRole('textbox', { name: 'A code is valid for (seconds)' })).toBeNull()
    await type(field('First number'), 'one')
    expect(screen.getByText('Enter a whole number from 0 to 1000000')).toBeDefined()
    expect(button('Save: One-time codes').disabled).toBe(true)
  })
})

it('is closed to who only looks on, and says so', async () => {
  await open('length(8)', { held: ['policies.view'] })
  await form('Password policy')
  expect(box('Shortest length').disabled).toBe(true)
  expect(field('Further rules').disabled).toBe(true)
  expect(screen.queryByRole('button', { name: /^Use recommended settings/ })).toBeNull()
  for (const name of ['Save: Password policy', 'Save: One-time codes'])
    expect((await screen.findByRole('button', { name })).getAttribute('aria-disabled')).toBe('true')
})

it('shows that it loads, and why it could not be read', async () => {
  await open('', { answers: { ...answer(realms.passwordPolicy, never), ...answer(realms.otpPolicy, never) } })
  expect((await screen.findAllByRole('status')).map(({ textContent }) => textContent)).toEqual(['Loading', 'Loading'])
  cleanup()
  const away = new Refusal(502, 'The identity server could not be reached.')
  await open('', { answers: answer(realms.passwordPolicy, away) })
  expect((await screen.findByRole('alert', { name: /^Password policy: / })).textContent).toContain(away.message)
  expect(await form('One-time codes')).toBeDefined()
})
