import { type Dashboard, dashboards } from '@quayside/contract/dashboards/endpoints'
import { dashboardLibrary, type Widget } from '@quayside/contract/dashboards/library'
import { dashboardQuery } from '@quayside/contract/dashboards/query'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { pageOf } from '../../../testing/things.ts'
import { DashboardPage } from '../dashboard-page.tsx'
import { DashboardView } from '../dashboard-view.tsx'
import { EditDashboard } from './edit-dashboard.tsx'

const at = '2026-01-01T00:00:00.000Z'
const states = { kind: 'Panel', spec: { display: { name: 'Apps' }, plugin: { kind: 'AppStates', spec: {} } } } as const
const shop: Dashboard = {
  ...{ id: 'shop1', displayName: 'Shop', description: '', tags: [], ownerId: 'm1', owner: 'mara' },
  ...{ scopes: ['dashboard.view', 'dashboard.edit'], panels: 1, spaceIds: [], starred: false, revision: 4 },
  ...{ createdAt: at, updatedAt: at, updatedBy: 'mara', deletedAt: null },
  spec: {
    ...{ duration: '24h', refreshInterval: '0s', panels: { apps: states } },
    layouts: [
      {
        kind: 'Grid',
        spec: { items: [{ x: 0, y: 0, width: 8, height: 6, content: { $ref: '#/spec/panels/apps' } }] },
      },
    ],
  },
}
const text: Widget = {
  ...{ id: 'Markdown', name: 'Markdown', version: '1.0.0', kind: 'Markdown', title: 'Text', description: 'Notes' },
  ...{
    category: 'Texts',
    source: 'built-in',
    settingsSchema: { type: 'object', properties: {} },
    usedBy: 0,
    bindings: {},
  },
  ...{ defaults: { kind: 'Markdown', spec: { text: '' } }, size: { w: 8, h: 5 } },
}
const counted = {
  ...{ key: 'apps', status: 'ok', at },
  data: {
    kind: 'AppStates',
    total: 3,
    states: [
      { state: 'healthy', count: 2 },
      { state: 'failed', count: 1 },
    ],
  },
}

function open(drawn: React.ReactElement, answers: Answers = {}) {
  const calls = serving({
    ...answer(dashboardLibrary.listWidgets, pageOf(text)),
    ...answer(spaces.listSpaces, pageOf()),
    ...answer(permissions.myScopes, { data: [] }),
    [`POST /dashboard${dashboardQuery.queryPanels.path}`]: counted,
    ...answers,
  })
  drawInPortal(drawn)
  return () => calls.filter(({ method }) => method === 'PUT')
}
const edit = (answers: Answers = {}, onDone = vi.fn()) => ({
  puts: open(<EditDashboard dashboard={shop} onDone={onDone} />, answers),
  onDone,
})
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

it('a panel is drawn, and is a table for who wants figures', async () => {
  open(<DashboardView dashboard={shop} share={() => null} onEdit={() => undefined} />)
  const panel = await screen.findByRole('region', { name: 'Apps' })
  expect(await within(panel).findByText('3')).toBeDefined()
  await userEvent.click(within(panel).getByRole('button', { name: 'Show Apps as a table' }))
  const rows = within(within(panel).getByRole('table')).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent)).toEqual(['StateApps', 'Healthy2', 'Failed1'])
})

it('a panel that its viewer may not see says so in its place', async () => {
  const hidden = { key: 'apps', status: 'hidden', message: 'You cannot see the space of this panel.' }
  open(<DashboardView dashboard={shop} share={() => null} onEdit={() => undefined} />, {
    [`POST /dashboard${dashboardQuery.queryPanels.path}`]: hidden,
  })
  expect(await screen.findByText(hidden.message)).toBeDefined()
})

it('a panel is added, moved by keys, undone and saved with the revision that was changed', async () => {
  const { puts, onDone } = edit(answer(dashboards.updateDashboard, shop, { id: 'shop1' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Add panel' }))
  await userEvent.click(await screen.findByRole('button', { name: /^Text/ }))
  const words = await screen.findByRole('textbox', { name: 'Text' })
  await userEvent.type(words, 'Hello')
  await userEvent.click(button('Apply'))
  const handle = await screen.findByRole('button', { name: /^Move Apps/ })
  handle.focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await userEvent.click(button('Undo'))
  await userEvent.click(button('Save'))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  const body = puts()[0]?.body as { baseRevision: number; spec: Dashboard['spec'] }
  expect(body.baseRevision).toBe(4)
  expect(body.spec.panels['panel-2']?.spec.plugin).toEqual({ kind: 'Markdown', spec: { text: 'Hello' } })
  const places = body.spec.layouts[0]?.spec.items.map(({ x, content }) => [content.$ref, x])
  expect(places).toContainEqual(['#/spec/panels/apps', 1])
})

it('a save that somebody else was ahead of keeps the draft, says who it was, and is saved over theirs', async () => {
  const late = new Refusal(409, 'Somebody else has saved this dashboard.', 'dashboard.revision-changed', {
    ...{ revision: 7, by: 'ravi', at },
  })
  const { puts, onDone } = edit(
    answer(
      dashboards.updateDashboard,
      ({ body }) => ((body as { baseRevision: number }).baseRevision === 7 ? shop : late),
      { id: 'shop1' },
    ),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Apps' }))
  await userEvent.click(button('Save'))
  expect(await screen.findByText(/^ravi saved revision 7 while you were editing/)).toBeDefined()
  expect(onDone).not.toHaveBeenCalled()
  expect(button('Undo').disabled).toBe(false)
  await userEvent.click(button('Save over revision 7'))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(puts().map(({ body }) => (body as { baseRevision: number }).baseRevision)).toEqual([4, 7])
})

it('cancel asks before changes are lost', async () => {
  const { onDone } = edit()
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Apps' }))
  await userEvent.click(button('Cancel'))
  const asked = await screen.findByRole('dialog', { name: 'Discard changes' })
  await userEvent.click(within(asked).getByRole('button', { name: 'Cancel' }))
  expect(onDone).not.toHaveBeenCalled()
})

it('settings that are applied as they were are no step to undo', async () => {
  edit()
  await userEvent.click(await screen.findByRole('button', { name: /^Settings of Apps/ }))
  await userEvent.click(button('Apply'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(button('Undo').disabled).toBe(true)
})

it('a draft outlives a reload of the page, and is forgotten once it is discarded', async () => {
  edit()
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Apps' }))
  cleanup()
  const { onDone } = edit()
  expect(await screen.findByText('Your unsaved changes from before the reload were restored.')).toBeDefined()
  expect(await screen.findByText('No panels yet')).toBeDefined()
  await userEvent.click(button('Cancel'))
  const asked = await screen.findByRole('dialog', { name: 'Discard changes' })
  await userEvent.click(within(asked).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  cleanup()
  edit()
  expect(await screen.findByRole('region', { name: 'Apps' })).toBeDefined()
})

it('a draft that cannot be saved any more is saved as a dashboard of its own', async () => {
  const posts: unknown[] = []
  const onDone = vi.fn()
  open(<EditDashboard dashboard={shop} maySave={false} onDone={onDone} />, {
    ...answer(dashboards.createDashboard, ({ body }) => {
      posts.push(body)
      return { ...shop, id: 'shop2' }
    }),
  })
  expect(await screen.findByText('You cannot save this dashboard any more')).toBeDefined()
  expect(button('Save').disabled).toBe(true)
  await userEvent.click(button('Save as a new dashboard'))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(posts).toMatchObject([{ displayName: 'Shop', spec: { panels: { apps: {} } } }])
})

it('panels that were never answered say so when the question fails', async () => {
  open(<DashboardView dashboard={shop} share={() => null} onEdit={() => undefined} />, {
    [`POST /dashboard${dashboardQuery.queryPanels.path}`]: new Refusal(400, 'Not like this'),
  })
  const panel = await screen.findByRole('region', { name: 'Apps' })
  expect(await within(panel).findByText('This panel could not be loaded.')).toBeDefined()
})

it('figures from before a failure stay, with their time', async () => {
  let isAway = false
  open(<DashboardView dashboard={shop} share={() => null} onEdit={() => undefined} />, {
    [`POST /dashboard${dashboardQuery.queryPanels.path}`]: () => (isAway ? new Refusal(400, 'Not like this') : counted),
  })
  const panel = await screen.findByRole('region', { name: 'Apps' })
  expect(await within(panel).findByText('3')).toBeDefined()
  isAway = true
  await userEvent.click(button('Refresh now'))
  expect(await within(panel).findByText(/as of/)).toBeDefined()
  expect(within(panel).getByText('3')).toBeDefined()
})

it('a name that is typed asks nothing of the server, and a broken line of links is named', async () => {
  const links: Dashboard = {
    ...shop,
    spec: {
      ...shop.spec,
      panels: {
        apps: { kind: 'Panel', spec: { display: { name: 'Apps' }, plugin: { kind: 'Links', spec: { links: [] } } } },
      },
    },
  }
  const asked: unknown[] = []
  open(<EditDashboard dashboard={links} onDone={() => undefined} />, {
    [`POST /dashboard${dashboardQuery.queryPanels.path}`]: (call: { body: unknown }) => {
      asked.push(call.body)
      return counted
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Settings of Apps' }))
  const dialog = await screen.findByRole('dialog', { name: 'Panel settings' })
  await waitFor(() => expect(asked.length).toBeGreaterThan(0))
  const before = asked.length
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), ' of the team')
  const lines = within(dialog).getByRole('textbox', { name: 'Links' })
  await userEvent.type(lines, 'Broken line')
  expect(await within(dialog).findByText(/^“Broken line” has no address/)).toBeDefined()
  expect(button('Apply').disabled).toBe(true)
  await userEvent.type(lines, ' https://wiki.example.org/')
  await waitFor(() => expect(button('Apply').disabled).toBe(false))
  await waitFor(() => expect(JSON.stringify(asked.at(-1))).toContain('wiki.example.org'))
  // One question for everything that was typed in a moment, none for a name.
  expect(asked.length).toBeLessThanOrEqual(before + 3)
  expect(JSON.stringify(asked)).not.toContain('of the team')
})

it('a kept panel is removed from the library by who may, one of the portal by nobody, and equal titles show versions', async () => {
  const kept: Widget = { ...text, id: 'w1', name: 'w1', title: 'Runbook', source: 'tenant' }
  const other: Widget = { ...kept, id: 'w2', version: '2.0.0' }
  const answers = {
    ...answer(dashboardLibrary.listWidgets, pageOf(text, kept, other)),
    ...answer(dashboardLibrary.removeWidget, undefined as never, { id: 'w2' }),
  }
  const calls = serving({ ...answer(permissions.myScopes, { data: [] }), ...answers })
  drawInPortal(<EditDashboard dashboard={shop} onDone={() => undefined} />, {
    more: { 'quayside-portal-ui-catalog-apps': ['catalog.publish'] },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Add panel' }))
  expect(await screen.findByRole('button', { name: /Runbook.*2\.0\.0/ })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Remove Text from the library' })).toBeNull()
  const [, second] = screen.getAllByRole('button', { name: 'Remove Runbook from the library' })
  await userEvent.click(second as HTMLElement)
  const asked = await screen.findByRole('dialog', { name: 'Remove from the library' })
  await userEvent.click(within(asked).getByRole('button', { name: 'Confirm' }))
  await waitFor(() =>
    expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
      '/dashboard/v1/library/w2',
    ]),
  )
})

it('full screen is left by Escape', async () => {
  open(<DashboardView dashboard={shop} share={() => null} onEdit={() => undefined} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Full screen' }))
  await screen.findByRole('button', { name: 'Leave full screen' })
  await userEvent.keyboard('{Escape}')
  expect(await screen.findByRole('button', { name: 'Full screen' })).toBeDefined()
})

it('keys undo and redo, except in a field or while a dialog is open', async () => {
  edit()
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Apps' }))
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(await screen.findByRole('region', { name: 'Apps' })).toBeDefined()
  await userEvent.keyboard('{Control>}{Shift>}Z{/Shift}{/Control}')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Apps' })).toBeNull())
  await userEvent.click(button('Settings'))
  await userEvent.type(await screen.findByRole('textbox', { name: /^Name/ }), '{Control>}z{/Control}')
  await userEvent.click(button('Apply'))
  expect(screen.queryByRole('region', { name: 'Apps' })).toBeNull()
})

it('the panels get a title in the settings', async () => {
  const { puts, onDone } = edit(answer(dashboards.updateDashboard, shop, { id: 'shop1' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Settings' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Title above the panels' }), 'Right now')
  await userEvent.click(button('Apply'))
  expect(await screen.findByRole('heading', { name: 'Right now' })).toBeDefined()
  await userEvent.click(button('Save'))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(puts()[0]?.body).toMatchObject({ spec: { layouts: [{ spec: { display: { title: 'Right now' } } }] } })
})

it('a draft that is no dashboard any more is left alone', async () => {
  edit()
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Apps' }))
  const [key = ''] = Object.keys(sessionStorage)
  const kept = JSON.parse(sessionStorage.getItem(key) ?? '') as { content: object }
  for (const broken of [{ tags: 'prod' }, { description: 7 }, { spec: { ...shop.spec, layouts: [{}] } }]) {
    cleanup()
    sessionStorage.setItem(key, JSON.stringify({ ...kept, content: { ...kept.content, ...broken } }))
    edit()
    expect(await screen.findByRole('region', { name: 'Apps' })).toBeDefined()
    expect(button('Undo').disabled).toBe(true)
  }
})

it.each([
  ['is gone', new Refusal(404, 'It is not there', 'dashboard.not-found')],
  ['may only be looked at', { ...shop, scopes: ['dashboard.view' as const] }],
])('a draft is read again after a reload when its dashboard %s by then', async (_, found) => {
  edit()
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Apps' }))
  cleanup()
  serving({
    ...answer(permissions.myScopes, { data: [] }),
    ...answer(dashboards.getDashboard, found, { id: 'shop1' }),
  })
  drawInPortal(<DashboardPage share={() => null} />, {
    route: '/dashboards/$dashboardId',
    at: '/dashboards/shop1?edit=1',
  })
  expect(await screen.findByText('You cannot save this dashboard any more')).toBeDefined()
  expect(screen.getByText('No panels yet')).toBeDefined()
})

it('a registered widget asks for its settings, and each goes to its field of the panel', async () => {
  const teamApps: Widget = {
    ...{ ...text, id: 'w9', name: 'team-events', title: 'Events of a team', kind: 'Events', source: 'package' },
    settingsSchema: {
      type: 'object',
      properties: {
        where: { type: 'string', title: 'Space of the team', default: 's1' },
        which: { type: 'string', title: 'Which', enum: ['Normal', 'Warning'] },
      },
    },
    bindings: { where: 'spaceId', which: 'type' },
    defaults: { kind: 'Events', spec: { spaceId: 's1' } },
  }
  const { puts, onDone } = edit({
    ...answer(dashboardLibrary.listWidgets, pageOf(text, teamApps)),
    ...answer(dashboards.updateDashboard, shop, { id: 'shop1' }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Add panel' }))
  await userEvent.click(await screen.findByRole('button', { name: /^Events of a team/ }))
  const asked = await screen.findByRole('dialog', { name: 'Events of a team' })
  expect(within(asked).getByLabelText<HTMLSelectElement>('Space of the team').value).toBe('s1')
  await userEvent.selectOptions(within(asked).getByLabelText('Which'), 'Warning')
  await userEvent.selectOptions(within(asked).getByLabelText('Space of the team'), '')
  await userEvent.click(within(asked).getByRole('button', { name: 'Add panel' }))
  await screen.findByRole('dialog', { name: 'Panel settings' })
  await userEvent.click(button('Apply'))
  await userEvent.click(button('Save'))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  const body = puts()[0]?.body as { spec: Dashboard['spec'] }
  const { 'panel-2': added } = body.spec.panels
  expect(added?.spec).toMatchObject({
    widgetId: 'w9',
    plugin: { kind: 'Events', spec: { type: 'Warning' } },
  })
  expect(added?.spec.plugin.spec).not.toHaveProperty('spaceId')
})
