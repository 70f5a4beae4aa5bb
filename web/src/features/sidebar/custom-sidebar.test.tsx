import type { MenuEntry, MenuGroup } from '@quayside/contract/sidebar/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { CustomSidebar } from './custom-sidebar.tsx'
import { texts } from './texts.ts'

const t = texts.ours
const menu = 'GET /portal-api/v0/menu'
const pin = (id: string, more: Partial<MenuEntry>): MenuEntry => ({
  ...{ id, groupId: 'g1', name: id, icon: '', link: 'routerLink', selectedEntryId: id, type: 'spaces' },
  ...{ itemName: null, state: 'open', ...more },
})
const shop = pin('s1', { name: 'Shop', itemName: 'Shop of today' })
const gone = pin('a1', { name: 'Old app', type: 'apps', state: 'gone' })
const runbook = pin('x1', {
  ...{ name: 'Runbook', type: 'externalLink', link: 'https://wiki.example.org', selectedEntryId: null },
})
const daily: MenuGroup = { id: 'g1', title: 'Daily', entries: [shop, gone, runbook] }

async function open(answers: Answers = {}, small = false) {
  const calls = serving({ [menu]: { data: [daily] }, ...answers })
  drawInPortal(<CustomSidebar small={small} />)
  await screen.findByRole('region', { name: t.heading })
  return { changes: () => calls.filter(({ method }) => method !== 'GET') }
}
const names = () => screen.getAllByRole('listitem').map((row) => within(row).getAllByText(/./)[0]?.textContent)

it('leads to what is there, out in a new tab, and nowhere for what is gone', async () => {
  await open()
  const link = await screen.findByRole('link', { name: 'Shop of today' })
  expect(link.getAttribute('href')).toBe('/spaces/s1/overview')
  const out = screen.getByRole('link', { name: /^Runbook/ })
  expect([out.getAttribute('href'), out.getAttribute('target'), out.getAttribute('rel')]).toEqual([
    'https://wiki.example.org',
    '_blank',
    'noopener noreferrer',
  ])
  const dead = screen.getByRole('button', { name: /^Old app/ })
  expect(dead.getAttribute('aria-disabled')).toBe('true')
  expect(dead.textContent).toContain(t.gone)
  await userEvent.hover(dead)
  expect((await screen.findByRole('tooltip')).textContent).toContain(t.goneWhy)
})

it('keeps the names for readers when only marks are shown', async () => {
  await open({}, true)
  expect(await screen.findByRole('link', { name: 'Shop of today' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Actions for Shop of today' })).toBeNull()
})

it('folds a group and remembers it', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Daily' }))
  expect(screen.queryByRole('listitem')).toBeNull()
  expect(localStorage.getItem('quayside.folded-groups')).toBe('["g1"]')
  await userEvent.click(screen.getByRole('button', { name: 'Daily' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
})

it('moves a pin at once, and back with the reason when the server will not', async () => {
  let refuse: (refusal: Refusal) => void = () => undefined
  const refused = new Promise<Refusal>((resolve) => {
    refuse = resolve
  })
  const { changes } = await open({ 'PUT /portal-api/v0/menu': () => refused })
  await screen.findByRole('link', { name: 'Shop of today' })
  await pick('Actions for Runbook', t.moveUp)
  await waitFor(() => expect(names()).toEqual(['Shop of today', 'Runbook', 'Old app']))
  expect(changes()[0]).toMatchObject({
    path: '/portal-api/v0/menu/groups/g1/entries/',
    body: { ids: ['s1', 'x1', 'a1'] },
  })
  refuse(new Refusal(503, 'Not now.'))
  const alert = await screen.findByRole('dialog', { name: t.moveFailed })
  expect(alert.textContent).toContain('Not now.')
  await userEvent.click(within(alert).getByRole('button', { name: 'OK' }))
  await waitFor(() => expect(names()).toEqual(['Shop of today', 'Old app', 'Runbook']))
})

it('asks before a pin or a group goes', async () => {
  const { changes } = await open({ 'DELETE /portal-api/v0/menu': {} })
  await screen.findByRole('link', { name: 'Shop of today' })
  await pick('Actions for Old app', t.remove)
  await userEvent.click(within(await screen.findByRole('dialog', { name: 'Remove pin' })).getByText('Cancel'))
  expect(changes()).toEqual([])
  await pick('Actions for Old app', t.remove)
  await userEvent.click(within(await screen.findByRole('dialog', { name: 'Remove pin' })).getByText('Confirm'))
  await waitFor(() => expect(changes()[0]?.path).toBe('/portal-api/v0/menu/groups/g1/entries/a1'))
  await pick('Actions for Daily', t.deleteGroup)
  const question = await screen.findByRole('dialog', { name: t.deleteGroup })
  expect(question.textContent).toContain('Delete Daily and what is pinned in it (3)?')
  await userEvent.click(within(question).getByText('Confirm'))
  await waitFor(() => expect(changes()[1]?.path).toBe('/portal-api/v0/menu/groups/g1'))
})

it.each([
  ['nothing yet', { data: [] }, () => screen.findByText(t.empty)],
  ['an empty group', { data: [{ ...daily, entries: [] }] }, () => screen.findByText(t.emptyGroup)],
  ['what went wrong', new Refusal(500, 'broken'), () => screen.findByRole('button', { name: /broken/ })],
])('says: %s', async (_, answer, found) => {
  await open({ [menu]: answer })
  expect(await found()).toBeDefined()
  expect(screen.getByRole('button', { name: t.addEntry })).toBeDefined()
})

it('can be added to while it loads', async () => {
  await open({ [menu]: never })
  expect(screen.getByRole('button', { name: t.addEntry })).toBeDefined()
})

/** Opens a popover as its button would and picks an action; the test environment does not implement popovers. */
async function pick(label: string, action: string) {
  const panel = screen.getAllByLabelText(label).find((element) => element.hasAttribute('popover'))
  if (panel === undefined) throw new Error(`there is no ${label}`)
  const tell = (newState: string) => panel.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState }))
  panel.hidePopover = () => void tell('closed')
  tell('open')
  await userEvent.click(await within(panel).findByText(action))
}
