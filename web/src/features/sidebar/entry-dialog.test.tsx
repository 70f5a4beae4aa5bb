import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Pinnable } from '../../api/pins.tsx'
import { type Answers, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { GroupDialog } from './group-dialog.tsx'

const menu = 'GET /portal-api/v0/menu'
const post = 'POST /portal-api/v0/menu/groups'
const spaces = {
  data: [
    { id: 's1', displayName: 'Shop' },
    { id: 's2', displayName: 'Fleet' },
  ],
}
const well: Answers = {
  [menu]: { data: [{ id: 'g1', title: 'Daily', entries: [] }] },
  'GET /portal-api/v2/spaces': spaces,
  'GET /portal-api/v2/apps': { data: [] },
  [post]: (call: { path: string }) => (call.path.endsWith('/entries/') ? { id: 'e1' } : { id: 'g9' }),
}

async function open(answers: Answers = {}, item?: Pinnable) {
  const onClose = vi.fn()
  const calls = serving({ ...well, ...answers })
  drawInPortal(<EntryDialog item={item} onClose={onClose} />)
  await screen.findByRole('dialog', { name: 'ADD NEW MENU ENTRY' })
  const sent = () => calls.filter(({ method }) => method !== 'GET')
  return { calls, sent, onClose }
}

const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm' })
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const unfold = (label: string) => userEvent.click(screen.getByRole('button', { name: new RegExp(`^${label}`) }))
async function choose(label: string, option: string | RegExp) {
  await unfold(label)
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
/** Says what the alert says, and closes it. */
async function alertOf() {
  const alert = await screen.findByRole('dialog', { name: /^Invalid/ })
  const text = alert.textContent
  await userEvent.click(within(alert).getByRole('button', { name: 'OK' }))
  return text
}

describe('an item of the portal', () => {
  it('offers five categories, spaces first, and their items with search, None and ID', async () => {
    const { calls } = await open()
    await unfold('CATEGORY')
    const names = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
    expect(names).toEqual(['Apps', 'Spaces', 'Dashboards', 'Clusters', 'External link'])
    expect(screen.getByRole('button', { name: 'CATEGORY Spaces' })).toBeDefined()
    await userEvent.keyboard('{Escape}')
    await unfold('ITEM')
    const items = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
    expect(items).toEqual(['None', 'ShopID: s1', 'FleetID: s2'])
    expect(calls.find(({ path }) => path.includes('/v2/spaces'))?.path).toContain(
      'sort.createdAt=DESC;page.skip=0;page.limit=1000',
    )
    await userEvent.type(field('Search ITEM'), 'zzz')
    expect(screen.getByText('No Match Found!')).toBeDefined()
    await userEvent.clear(field('Search ITEM'))
    await userEvent.type(field('Search ITEM'), 'fle')
    await userEvent.click(screen.getByRole('option', { name: /^Fleet/ }))
    expect(confirm().disabled).toBe(false)
    await choose('ITEM', 'None')
    expect(confirm().disabled).toBe(true)
  })

  it('is sent as the specification says, and the dialog closes', async () => {
    const { sent, onClose } = await open()
    expect(confirm().disabled).toBe(true)
    await choose('ITEM', /^Shop/)
    await userEvent.click(confirm())
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(sent()).toEqual([
      {
        method: 'POST',
        path: '/portal-api/v0/menu/groups/g1/entries/',
        body: {
          name: 'Shop',
          groupId: 'g1',
          icon: 'spaces',
          link: 'routerLink',
          selectedEntryId: 's1',
          type: 'spaces',
        },
      },
    ])
  })

  it.each([
    ['Apps', 'No Data!', {}],
    [
      'Dashboards',
      'No Data!',
      { 'GET /dashboard/v2/dashboards': { data: [], page: { skip: 0, limit: 150, total: 0 }, next: null } },
    ],
    [
      'Clusters',
      'Reason: The cluster list is away.',
      { 'GET /cluster/v2/clusters': new Refusal(500, 'The cluster list is away.') },
    ],
    ['Apps', 'Loading', { 'GET /portal-api/v2/apps': never }],
  ])('the list of %s says %s', async (category, text, answers) => {
    await open(answers)
    await choose('CATEGORY', category)
    await unfold('ITEM')
    await waitFor(() => expect(screen.getByRole('listbox').textContent).toContain(text))
  })

  it('that a page hands over is named, and needs a group alone', async () => {
    const { sent } = await open({}, { kind: 'apps', id: 'a1', name: 'Shop front' })
    expect(
      screen.getByText(
        'Pinning Shop front App to the Custom Sidebar! Select a group or create a new one to which the item should be pinned to.',
      ),
    ).toBeDefined()
    expect(screen.queryByText('CATEGORY')).toBeNull()
    await waitFor(() => expect(confirm().disabled).toBe(false))
    await userEvent.click(confirm())
    await waitFor(() =>
      expect(sent()[0]?.body).toMatchObject({ type: 'apps', selectedEntryId: 'a1', name: 'Shop front' }),
    )
  })
})

describe('an external link', () => {
  it('needs a label and a full address', async () => {
    const { sent } = await open()
    await choose('CATEGORY', 'External link')
    await userEvent.type(field('LABEL *'), 'Runbook')
    expect(confirm().disabled).toBe(true)
    await userEvent.type(field('URL *'), '{Enter}')
    expect(await alertOf()).toBe('Invalid dataPlease check the data!OK')
    await userEvent.type(field('URL *'), 'wiki.example.org')
    await userEvent.click(confirm())
    expect(await alertOf()).toBe('Invalid URLPlease provide the complete URL!OK')
    expect(sent()).toEqual([])
    await userEvent.clear(field('URL *'))
    await userEvent.type(field('URL *'), 'https://wiki.example.org{Enter}')
    await waitFor(() =>
      expect(sent()[0]?.body).toMatchObject({ type: 'externalLink', link: 'https://wiki.example.org' }),
    )
  })
})

describe('the group', () => {
  const item: Pinnable = { kind: 'spaces', id: 's1', name: 'Shop' }

  it('is one of the default ones for somebody without groups, and is made then', async () => {
    const { sent } = await open({ [menu]: { data: [] } }, item)
    await unfold('GROUPNAME')
    const names = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
    expect(names).toEqual(['My Side-bar', 'Personal dashboards', 'Add a new group'])
    await userEvent.click(screen.getByRole('option', { name: 'Personal dashboards' }))
    await userEvent.click(confirm())
    await waitFor(() => expect(sent()).toHaveLength(2))
    expect(sent()[0]).toMatchObject({ path: '/portal-api/v0/menu/groups', body: { title: 'Personal dashboards' } })
    expect(sent()[1]?.path).toBe('/portal-api/v0/menu/groups/g9/entries/')
  })

  it('can be a new one of at most 24 characters, and is made once though the entry fails at first', async () => {
    let refuse = true
    const { sent, onClose } = await open(
      {
        [post]: ({ path }: { path: string }) => {
          if (!path.endsWith('/entries/')) return { id: 'g9' }
          return refuse ? new Refusal(409, 'This group already has this entry.') : { id: 'e1' }
        },
      },
      item,
    )
    await choose('GROUPNAME', 'Add a new group')
    expect(screen.getByText('0/24')).toBeDefined()
    expect(confirm().disabled).toBe(true)
    await userEvent.type(field('NEW GROUP NAME'), `  ${'x'.repeat(30)}`)
    expect(screen.getByText('24/24')).toBeDefined()
    await userEvent.click(confirm())
    const panel = await screen.findByRole('alert', { name: /^Catalog Details/ })
    expect(panel.textContent).toContain('Reason: This group already has this entry.')
    expect(confirm().disabled).toBe(false)
    refuse = false
    await userEvent.click(confirm())
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    const made = sent().filter(({ path }) => path.endsWith('/groups'))
    expect(made.map(({ body }) => body)).toEqual([{ title: 'x'.repeat(22) }])
  })

  it('waits while it is saved', async () => {
    await open({ [post]: never }, item)
    await waitFor(() => expect(confirm().disabled).toBe(false))
    await userEvent.click(confirm())
    await waitFor(() => expect(confirm().disabled).toBe(true))
  })
})

describe('the name of a group', () => {
  async function edit(answer: unknown) {
    const onClose = vi.fn()
    const calls = serving({ 'PUT /portal-api/v0/menu/groups/g1': answer })
    drawInPortal(<GroupDialog group={{ id: 'g1', title: 'Daily' }} onClose={onClose} />)
    await screen.findByRole('dialog', { name: 'EDIT GROUP NAME' })
    return { calls, onClose }
  }

  it('is counted, trimmed and sent', async () => {
    const { calls, onClose } = await edit({ id: 'g1' })
    expect(screen.getByText('5/24')).toBeDefined()
    await userEvent.type(field('GROUPNAME'), ' work {Enter}')
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(calls[0]).toMatchObject({ method: 'PUT', body: { title: 'Daily work' } })
  })

  it('cannot be empty', async () => {
    const { calls } = await edit({ id: 'g1' })
    await userEvent.clear(field('GROUPNAME'))
    expect(confirm().disabled).toBe(true)
    await userEvent.type(field('GROUPNAME'), '{Enter}')
    expect(await alertOf()).toBe('Invalid Group nameGroup name cannot be emptyOK')
    await userEvent.type(field('GROUPNAME'), '  ')
    await userEvent.click(confirm())
    expect(await alertOf()).toBe('Invalid Group nameGroup name cannot be emptyOK')
    expect(calls).toEqual([])
  })

  it('stays in the dialog when it cannot be saved', async () => {
    const { onClose } = await edit(new Refusal(404, 'This sidebar group does not exist.'))
    await userEvent.click(confirm())
    expect((await screen.findByRole('alert', { name: /^Catalog Details/ })).textContent).toContain('does not exist')
    expect(onClose).not.toHaveBeenCalled()
  })
})
