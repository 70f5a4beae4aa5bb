import { type AdminEvent, events, type SignInEvent } from '@quayside/contract/events/endpoints'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
import { AdminEvents } from './admin-events.tsx'
import { SignInEvents } from './sign-in-events.tsx'

const signIn: SignInEvent = {
  ...{ id: '7', at: '2026-01-01T00:00:00Z', type: 'LOGIN_ERROR', error: 'invalid_user_credentials' },
  ...{ user: { id: 'u1', username: 'zoe' }, client: 'portal', ipAddress: '192.0.2.7', details: {} },
}
const change: AdminEvent = {
  ...{ id: '8', at: '2026-01-01T00:00:00Z', operation: 'UPDATE', resourceType: 'CLIENT', resourcePath: 'clients/c1' },
  ...{ error: null, user: { id: 'u1', username: 'zoe' }, client: 'server', ipAddress: '192.0.2.7' },
}
const longer = <T,>(row: T) => ({ ...pageOf(row), next: '/more' })
const choose = async (row: string, entry: string) => {
  await userEvent.click(await screen.findByRole('button', { name: new RegExp(`^Actions for ${row}`) }))
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

describe('sign-ins', () => {
  const open = (answers: Answers = {}, userId?: string) => {
    const calls = serving({ ...answer(events.findEvents, longer(signIn)), ...answers })
    drawInPortal(<SignInEvents {...(userId === undefined ? {} : { userId })} />, {})
    return () => decodeURIComponent(calls.at(-1)?.path ?? '')
  }

  testListPage({
    ...{ open, list: events.findEvents, filled: pageOf(signIn), none: pageOf(), label: 'Sign-ins' },
    row: { What: 'Sign-in failedinvalid_user_credentials', Who: 'zoe', Client: 'portal', From: '192.0.2.7' },
    empty: 'No events',
  })

  it('are narrowed to a type, a time, a person and a client, and widened again', async () => {
    const asked = open()
    await userEvent.click(await screen.findByRole('button', { name: 'When Any' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Last day' }))
    await waitFor(() => expect(asked()).toContain('filters.from=20'))
    await choose('Sign-in failed', 'Only this person')
    await waitFor(() => expect(asked()).toContain('filters.user=u1'))
    await choose('Sign-in failed', 'Only this client')
    await waitFor(() => expect(asked()).toContain('filters.client=portal'))
    await userEvent.click(await screen.findByRole('button', { name: 'Only zoe' }))
    await waitFor(() => expect(asked()).not.toContain('filters.user'))
    await userEvent.click(screen.getByRole('button', { name: 'Older' }))
    await waitFor(() => expect(asked()).toContain('page.skip=50'))
  })

  it('of one person ask for theirs alone', async () => {
    const asked = open({}, 'u1')
    await screen.findByRole('rowheader')
    expect(asked()).toContain('filters.user=u1')
    expect(screen.queryByRole('columnheader', { name: 'Who' })).toBeNull()
  })
})

describe('changes', () => {
  const open = (answers: Answers = {}) => {
    const calls = serving({ ...answer(events.findAdminEvents, longer(change)), ...answers })
    drawInPortal(<AdminEvents />, {})
    return () => decodeURIComponent(calls.at(-1)?.path ?? '')
  }

  testListPage({
    ...{ open, list: events.findAdminEvents, filled: pageOf(change), none: pageOf(), label: 'Changes' },
    row: { What: 'Client: changed', Who: 'zoe', Where: 'clients/c1' },
    empty: 'No changes',
  })

  it('name the client where nobody stands for them', async () => {
    open(answer(events.findAdminEvents, pageOf({ ...change, user: null })))
    expect(await screen.findByRole('cell', { name: 'server' })).toBeDefined()
  })

  it('are narrowed to a person and an operation', async () => {
    const asked = open()
    await choose('Client', 'Only this person')
    await waitFor(() => expect(asked()).toContain('filters.user=u1'))
    await userEvent.click(screen.getByRole('button', { name: 'What Any' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Removed' }))
    await waitFor(() => expect(asked()).toContain('filters.operation=DELETE'))
  })
})
