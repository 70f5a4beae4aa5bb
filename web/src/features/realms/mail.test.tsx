import { type MailSettings, mail, type OutboxMail } from '@quayside/contract/mail/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { LoginSettingsPage } from './login-settings-page.tsx'

const settings: MailSettings = {
  ...{ host: 'mail.example.org', port: 587, from: 'portal@example.org', fromDisplayName: 'Portal', replyTo: '' },
  ...{ encryption: 'starttls', user: 'portal', hasPassword: true, hasOutbox: true },
}
const at = '2026-01-01T00:00:00.000Z'
const kept: OutboxMail = {
  ...{ id: 'm1', userId: 'u1', to: 'zoe@example.org', subject: 'Set a new password', status: 'kept', tries: 0 },
  ...{ reason: null, nextTryAt: null, createdAt: at, expiresAt: at, sentAt: null, isReadable: true },
}
const failed: OutboxMail = {
  ...{ ...kept, id: 'm2', to: 'kim@example.org', status: 'failed', tries: 7 },
  ...{ reason: 'The mail server did not answer in time.', isReadable: false },
}
const everything = { 'quayside-portal-ui-iam-loginsettings': ['loginsettings.view', 'loginsettings.edit'] }
const helpdesk = { 'quayside-portal-ui-iam-users': ['users.credentials.manage'] }

function open(answers: Answers = {}, more: Record<string, string[]> = { ...everything, ...helpdesk }, now = settings) {
  const calls = serving({
    ...answer(mail.mailSettings, now),
    ...answer(mail.setMailSettings, now),
    ...answer(mail.findMails, { data: [kept, failed], page: { skip: 0, limit: 20, total: 2 }, next: null }),
    ...answers,
  })
  drawInPortal(<LoginSettingsPage tabs={[]} />, { more, at: '/?tab=mail' })
  return calls
}
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name)

describe('the mail server', () => {
  it('is saved without its password when none was typed', async () => {
    const calls = open()
    const host = await field('Host')
    await userEvent.clear(host)
    await userEvent.type(host, 'other.example.org')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
    const { hasPassword, hasOutbox, ...server } = settings
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ ...server, host: 'other.example.org' })
  })

  it('shows what the server keeps once it is saved, and no password any more', async () => {
    open(answer(mail.setMailSettings, { ...settings, host: 'kept.example.org' }))
    await userEvent.type(await field('Password'), 'hush')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved')).toBeDefined()
    expect((await field('Password')).value).toBe('')
    expect((await field('Host')).value).toBe('kept.example.org')
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  })

  it('says at its field what was refused', async () => {
    const refusal = Object.assign(new Refusal(400, 'password: type it again'), { field: 'password' })
    open(answer(mail.setMailSettings, refusal as never))
    await userEvent.type(await field('Reply to'), 'a@example.org')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(async () => expect((await field('Password')).getAttribute('aria-invalid')).toBe('true'))
  })

  it('is tried by a mail', async () => {
    const calls = open(answer(mail.testMail, undefined as never))
    await userEvent.type(await field('Address for a test'), 'me@example.org')
    await userEvent.click(screen.getByRole('button', { name: 'Send test mail' }))
    expect(await screen.findByText('The server has taken the mail')).toBeDefined()
    expect(calls.find(({ path }) => path.endsWith('/mail/test'))?.body).toMatchObject({ to: 'me@example.org' })
  })

  it('says what is so without one, on either identity server', async () => {
    open({}, everything, { ...settings, host: '' })
    expect(await screen.findByText(/mails wait in the outbox below/)).toBeDefined()
    cleanup()
    open({}, everything, { ...settings, host: '', hasOutbox: false })
    expect(await screen.findByText(/Keycloak keeps no mails: whatever needs one is refused/)).toBeDefined()
  })
})

describe('the outbox', () => {
  it('shows each mail with its state, and the link on demand', async () => {
    const content = { ...kept, text: 'Open this', link: 'https://id.example.org/link?key=k' }
    open(answer(mail.readMail, content, { id: 'm1' }))
    const table = within(await screen.findByRole('table', { name: 'Outbox' }))
    expect(await table.findByText('zoe@example.org')).toBeDefined()
    expect(table.getByText('The mail server did not answer in time.')).toBeDefined()
    await userEvent.click(table.getByRole('button', { name: /zoe@example\.org/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Read' }))
    expect((await field('Link')).value).toBe(content.link)
  })

  it('does not let who cannot set passwords read', async () => {
    const calls = open({}, everything)
    const table = within(await screen.findByRole('table', { name: 'Outbox' }))
    await userEvent.click(await table.findByRole('button', { name: /zoe@example\.org/ }))
    const entry = await screen.findByRole('menuitem', { name: 'Read' })
    expect(entry.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(entry)
    expect(calls.some(({ path }) => path.endsWith('/outbox/m1'))).toBe(false)
  })
})
