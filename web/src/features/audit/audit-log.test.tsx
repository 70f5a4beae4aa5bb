import { type AuditEntry, audit } from '@quayside/contract/audit/endpoints'
import { guardedCalls } from '@quayside/contract/capabilities'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
import { AuditLog } from './audit-log.tsx'
import { areaWords } from './audit-words.ts'

const entry: AuditEntry = {
  ...{ id: 'e1', at: '2026-01-01T00:00:00Z', who: { id: 'u1', username: 'zoe' }, client: 'quayside-portal-ui' },
  ...{
    token: null,
    ipAddress: '192.0.2.7',
    capability: 'spaces',
    call: 'DELETE /portal-api/v3/spaces/:id',
    title: 'Delete a space',
  },
  ...{ name: 'Harbour', about: { id: 's1' }, outcome: 'refused', status: 403, code: 'auth.forbidden', requestId: 'r1' },
}

function open(answers: Answers = {}) {
  const calls = serving({ ...answer(audit.listAudit, { ...pageOf(entry), next: '/more' }), ...answers })
  drawInPortal(<AuditLog />, {})
  return () => decodeURIComponent(calls.at(-1)?.path ?? '')
}

const choose = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: /^Actions for Delete a space/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

testListPage({
  ...{ open, list: audit.listAudit, filled: pageOf(entry), none: pageOf(), label: 'Audit log' },
  row: {
    What: 'Delete a spaceHarbour',
    Who: 'zoe',
    Outcome: 'Refused',
    Client: 'quayside-portal-ui',
    From: '192.0.2.7',
  },
  empty: 'Nothing was changed yet',
})

it('is narrowed to an area, an outcome, a person and a thing, and widened again', async () => {
  const asked = open()
  await userEvent.click(await screen.findByRole('button', { name: 'Area Any' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Spaces' }))
  await waitFor(() => expect(asked()).toContain('filters.capability=spaces'))
  await userEvent.click(await screen.findByRole('button', { name: 'Outcome Any' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Refused' }))
  await waitFor(() => expect(asked()).toContain('filters.outcome=refused'))
  await choose('Only this person')
  await waitFor(() => expect(asked()).toContain('filters.who=u1'))
  await choose('Only this thing')
  await waitFor(() => expect(asked()).toContain('filters.about=s1'))
  await userEvent.click(await screen.findByRole('button', { name: 'Only Harbour' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Only Harbour' })).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Older' }))
  await waitFor(() => expect(asked()).toContain('page.skip=50'))
  expect(asked()).not.toContain('filters.about')
})

it('tells everything of one call', async () => {
  open()
  await choose('Details')
  const dialog = await screen.findByRole('dialog', { name: 'Delete a space' })
  expect(within(dialog).getByText('The call was refused: nothing was changed.')).toBeDefined()
  expect(within(dialog).getByText('Refused · 403 · auth.forbidden')).toBeDefined()
  expect(within(dialog).getByText('r1')).toBeDefined()
  expect(within(dialog).getByText('s1')).toBeDefined()
})

it('exports what it is narrowed to', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined }))
  const asked = open({ 'GET /portal-api/v1/audit/export': 'a line' })
  await userEvent.click(await screen.findByRole('button', { name: 'Outcome Any' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Done' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Export NDJSON' }))
  await waitFor(() => expect(asked()).toContain('format=ndjson'))
  expect(asked()).toContain('filters.outcome=done')
})

it('has a name for every capability that changes something', () => {
  const changing = guardedCalls.filter(({ endpoint }) => endpoint.method !== 'GET' && !endpoint.onlyReads)
  expect(Object.keys(areaWords).sort()).toEqual([...new Set(changing.map(({ capability }) => capability))].sort())
})
