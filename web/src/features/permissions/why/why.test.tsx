import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Question, useWhy } from '../../../api/permissions/why.tsx'
import { ApiError } from '../../../lib/api/api-error.ts'
import { type Answers, drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { explanation, member, myScopes, request, roles, shop } from '../testing/team.ts'
import { Refused } from './refused.tsx'
import { WhyHost } from './why-host.tsx'

const upgrade: Question = { ask: 'scope', scope: 'app.manage', place: 'app', id: 'a1', purpose: 'upgrade Podinfo' }
const asked = 'GET /portal-api/v3/explain'

function Page({ allowed, why }: { allowed: boolean | undefined; why: Question }) {
  const { question } = useWhy()
  return (
    <>
      <GuardedButton allowed={allowed} why={why} onClick={() => document.body.setAttribute('data-done', 'yes')}>
        Upgrade
      </GuardedButton>
      {question !== undefined && <WhyHost />}
    </>
  )
}

function open(answers: Answers, { allowed = 'no' as 'yes' | 'no' | 'unknown', why = upgrade } = {}) {
  document.body.removeAttribute('data-done')
  const calls = serving({ 'GET /portal-api/v3/space-roles': { data: roles }, ...answers })
  drawInPortal(<Page allowed={{ yes: true, no: false, unknown: undefined }[allowed]} why={why} />, { roles: [] })
  return calls
}

const button = () => screen.findByRole('button', { name: 'Upgrade' })
const done = () => document.body.hasAttribute('data-done')

it('a button with its right does what it says', async () => {
  open({}, { allowed: 'yes' })
  await userEvent.click(await button())
  expect(done()).toBe(true)
})

it('a button of which nothing is known yet does nothing and does not say that it is closed', async () => {
  open({}, { allowed: 'unknown' })
  expect((await button()).getAttribute('aria-disabled')).toBeNull()
  expect(await button()).toHaveProperty('disabled', true)
})

it('a closed button is reached by keyboard and says the way, what is missing, and who may grant it', async () => {
  open({ [asked]: explanation() })
  expect((await button()).getAttribute('aria-disabled')).toBe('true')
  await userEvent.tab()
  expect(document.activeElement).toBe(await button())
  await userEvent.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Why can’t I upgrade Podinfo?' })
  await within(dialog).findByText(/This needs/)
  const [way, missing] = within(dialog).getAllByRole('listitem')
  expect(way?.textContent).toBe('Yes: You have Viewer by group GuestsCan view and see apps')
  expect(missing?.textContent).toMatch(/^No: This needs app\.manage.*Held by Deployer and Manager in this space/)
  expect(missing?.textContent).toContain('everywhere by quayside-operator')
  expect(within(dialog).getByText('Ines Duarte').closest('p')?.textContent).toBe('It can be granted by Ines Duarte.')
  expect(done()).toBe(false)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('asks for a role with a reason and a time, and only then says that it was sent', async () => {
  const calls = open({
    [asked]: explanation(),
    'POST /portal-api/v3/spaces/shop123/access-requests': request(),
  })
  await userEvent.click(await button())
  await userEvent.click(await screen.findByRole('button', { name: 'Ask for access' }))
  const dialog = await screen.findByRole('dialog', { name: 'Ask for access' })
  const send = within(dialog).getByRole('button', { name: 'Send request' })
  expect(send).toHaveProperty('disabled', true)
  await userEvent.type(within(dialog).getByLabelText(/^Reason/), '  Hotfix of the cart ')
  await userEvent.selectOptions(within(dialog).getByLabelText('For how long'), '8 hours')
  expect(within(dialog).queryByText('Your request was sent')).toBeNull()
  await userEvent.click(send)
  await within(dialog).findByText(/Your request was sent/)
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ role: 'deployer', reason: 'Hotfix of the cart', hours: 8 },
  })
})

it('keeps what was typed when the request is refused', async () => {
  open({
    [asked]: explanation(),
    'POST /portal-api/v3/spaces/shop123/access-requests': new Refusal(
      409,
      'Too many of your requests are waiting for an answer.',
    ),
  })
  await userEvent.click(await button())
  await userEvent.click(await screen.findByRole('button', { name: 'Ask for access' }))
  await userEvent.type(await screen.findByLabelText(/^Reason/), 'Hotfix')
  await userEvent.click(screen.getByRole('button', { name: 'Send request' }))
  expect((await screen.findByRole('alert', { name: /Ask for access/ })).textContent).toContain(
    'Too many of your requests',
  )
  expect(screen.getByLabelText(/^Reason/)).toHaveProperty('value', 'Hotfix')
})

it('a request that waits is not asked for again, and can be withdrawn', async () => {
  let openRequestId: string | null = 'r1'
  const calls = open({
    [asked]: () => explanation({ openRequestId }),
    'DELETE /portal-api/v3/access-requests/r1': () => {
      openRequestId = null
      return {}
    },
  })
  await userEvent.click(await button())
  await screen.findByText(/Your request is waiting for an answer/)
  expect(screen.queryByRole('button', { name: 'Ask for access' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
  await screen.findByRole('button', { name: 'Ask for access' })
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(true)
})

it('a role of the tenant is explained, and nobody is told to ask where nobody could answer', async () => {
  const why: Question = { ask: 'role', role: 'clusters:clusters.create', purpose: 'add a cluster' }
  const grantors = [
    { type: 'role' as const, id: 'quayside-admin', name: 'quayside-admin', detail: null, isGone: false },
  ]
  const more = { needs: 'clusters:clusters.create', space: null, spaceRoles: [], ways: [], mayRequest: false, grantors }
  const calls = open({ [asked]: explanation(more) }, { why })
  await userEvent.click(await button())
  expect((await screen.findByText(/no role and no group/)).textContent).toContain('You are given it by')
  expect(screen.getByText(/It can be granted by/).textContent).toBe(
    'It can be granted by people with the role quayside-admin.',
  )
  expect(screen.queryByRole('button', { name: 'Ask for access' })).toBeNull()
  expect(calls.find(({ path }) => path.includes('explain'))?.path).toContain('role=clusters:clusters.create')
})

it('asks for a role of the tenant by the same form', async () => {
  const why: Question = { ask: 'role', role: 'clusters:clusters.create', purpose: 'add a cluster' }
  const told = { needs: 'clusters:clusters.create', space: null, spaceRoles: [], ways: [] }
  const calls = open(
    {
      [asked]: explanation({ ...told, tenantRolesToAskFor: ['clusters:clusters.create'] }),
      'POST /portal-api/v3/role-requests': request({ space: null }),
    },
    { why },
  )
  await userEvent.click(await button())
  await userEvent.click(await screen.findByRole('button', { name: 'Ask for access' }))
  const role = await screen.findByRole('button', { name: /^Role/ })
  expect(role.textContent).toBe('clusters.create (clusters)')
  await userEvent.type(screen.getByLabelText(/^Reason/), 'A new cluster is coming')
  await userEvent.click(screen.getByRole('button', { name: 'Send request' }))
  expect((await screen.findByText(/Your request was sent/)).textContent).toContain('Whoever manages roles')
  expect(calls.find(({ method }) => method === 'POST')).toMatchObject({
    path: '/portal-api/v3/role-requests',
    body: { role: 'clusters:clusters.create', reason: 'A new cluster is coming', hours: 168 },
  })
})

it('everything that one may do here, and from each cross the reason', async () => {
  const space = shop(['space.view', 'app.view'])
  open(
    {
      'GET /portal-api/v3/scopes/mine': myScopes(space),
      [asked]: explanation({ ways: member('Gil', 'viewer').ways }),
    },
    { why: { ask: 'all', place: 'space', id: space.id, name: 'Shop', page: 'spaces/$spaceId/overview' } },
  )
  await userEvent.click(await button())
  const dialog = await screen.findByRole('dialog', { name: 'What can I do in Shop?' })
  const cross = await within(dialog).findByRole('button', { name: 'Why not: Assign and deploy apps' })
  expect(within(dialog).queryByRole('button', { name: /^Why not: See apps/ })).toBeNull()
  await userEvent.click(cross)
  expect(await screen.findByRole('dialog', { name: 'Why can’t I deploy?' })).toBeDefined()
  await userEvent.click(await screen.findByRole('button', { name: 'Back' }))
  expect(await screen.findByRole('dialog', { name: 'What can I do in Shop?' })).toBeDefined()
})

it('tells of what roles of the tenant open on a page, also where no space decides', async () => {
  const why: Question = { ask: 'all', page: 'clusters/$clusterId' }
  const calls = open({ [asked]: explanation({ needs: 'clusters:clusters.events.view', space: null }) }, { why })
  await userEvent.click(await button())
  const rights = await screen.findByRole('region', { name: 'By roles of the tenant' })
  for (const hidden of ['Kubeconfigs that reach a cluster', 'Events of a cluster'])
    expect(within(rights).getByText(hidden)).toBeDefined()
  await userEvent.click(within(rights).getByRole('button', { name: 'Why not: Events of a cluster' }))
  await screen.findByRole('dialog', { name: 'Why can’t I use “Events of a cluster”?' })
  await waitFor(() =>
    expect(calls.find(({ path }) => path.includes('explain'))?.path).toContain('role=clusters:clusters.events.view'),
  )
})

it('a list that is refused for a role says why in its error panel', async () => {
  const details = { details: { needs: [{ section: 'iam-users', role: 'users.view' }] } }
  const error = new ApiError(403, 'You do not have the role that this requires.', { details })
  const calls = serving({ [asked]: explanation({ needs: 'iam-users:users.view', space: null }) })
  const Users = () => (
    <>
      <ErrorPanel error={error} name="Users" />
      {useWhy().question !== undefined && <WhyHost />}
    </>
  )
  drawInPortal(<Users />, { roles: [] })
  await userEvent.click(await screen.findByRole('button', { name: 'See why' }))
  await screen.findByRole('dialog', { name: 'Why can’t I see Users?' })
  await waitFor(() =>
    expect(calls.find(({ path }) => path.includes('explain'))?.path).toContain('role=iam-users:users.view'),
  )
})

it('a manager is offered to give what somebody else lacks', async () => {
  const why: Question = { ...upgrade, user: { id: 'gil', name: 'Gil Amari' } }
  const calls = open({ [asked]: explanation({ person: { id: 'gil', name: 'Gil Amari' }, mayRequest: false }) }, { why })
  await userEvent.click(await button())
  await userEvent.click(await screen.findByRole('button', { name: 'Make Gil Amari a Deployer' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add members' })
  expect(within(dialog).getByRole('list', { name: 'Chosen' }).textContent).toContain('Gil Amari')
  expect(within(dialog).getByRole('button', { name: 'Add member' })).toHaveProperty('disabled', false)
  expect(calls.find(({ path }) => path.includes('explain'))?.path).toContain('user=gil')
})

it('a refused page tells the same, and of what one cannot see not even whether it exists', async () => {
  serving({ [asked]: new Refusal(404, 'This space does not exist.') })
  const question = {
    ask: 'scope',
    scope: 'space.view',
    place: 'space',
    id: 'other12',
    purpose: 'open this space',
  } as const
  drawInPortal(<Refused question={question} address="https://portal.example/en/spaces/other12/overview" />, {
    roles: [],
  })
  expect(await screen.findByRole('heading', { name: 'There is nothing here that you can see' })).toBeDefined()
  expect(screen.getByText(/Please add mara \(mara\)/).textContent).toContain(
    'https://portal.example/en/spaces/other12/overview',
  )
  expect(screen.queryByText(/It can be granted by/)).toBeNull()
})

const closedPage = { ask: 'role', role: 'clusters:access', purpose: 'open this page' } as const
const ofTenant = {
  needs: 'clusters:access',
  space: null,
  spaceRoles: [],
  ways: [],
  tenantRolesToAskFor: ['clusters:access'],
}

function RefusedPage() {
  const { question } = useWhy()
  return (
    <>
      <Refused question={closedPage} />
      {question !== undefined && <WhyHost />}
    </>
  )
}

it('a refused page says what is missing first, and asks for it in one step', async () => {
  let isSent = false
  serving({
    [asked]: () =>
      explanation(isSent ? { ...ofTenant, tenantRolesToAskFor: [], mayRequest: false, openRequestId: 'r1' } : ofTenant),
    'POST /portal-api/v3/role-requests': () => {
      isSent = true
      return request({ space: null })
    },
  })
  drawInPortal(<RefusedPage />, { roles: [] })
  await userEvent.click(await screen.findByRole('button', { name: 'Ask for access' }))
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^No: This needs clusters:access/),
    'No: You are given it by no role and no group',
  ])
  const dialog = await screen.findByRole('dialog', { name: 'Ask for access' })
  expect(within(dialog).queryByRole('button', { name: 'Back' })).toBeNull()
  await userEvent.type(within(dialog).getByLabelText(/^Reason/), 'Nodes')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send request' }))
  await within(dialog).findByText(/Your request was sent/)
  await screen.findByText(/Your request is waiting for an answer/)
  expect(within(dialog).getByText(/Your request was sent/)).toBeDefined()
})

it('a refused page says that a request waits, and does not offer another one', async () => {
  serving({ [asked]: explanation({ ...ofTenant, openRequestId: 'r1' }) })
  drawInPortal(<RefusedPage />, { roles: [] })
  await screen.findByText(/Your request is waiting for an answer/)
  expect(screen.getByRole('button', { name: 'Withdraw' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Ask for access' })).toBeNull()
})

it('a dashboard that one cannot see is told to be shared by who manages it, and no role is spoken of', async () => {
  serving({})
  drawInPortal(<Refused question={undefined} isShared address="https://portal.example/en/dashboards/d1" />, {
    roles: ['catalog.deployments.view'],
  })
  expect(await screen.findByRole('heading', { name: 'There is nothing here that you can see' })).toBeDefined()
  expect(screen.getByText(/nobody has shared it with you/)).toBeDefined()
  expect(screen.getByText('Please share https://portal.example/en/dashboards/d1 with mara (mara)')).toBeDefined()
  expect(screen.queryByText(/the role that this page needs/)).toBeNull()
})
