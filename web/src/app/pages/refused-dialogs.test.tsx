import { account } from '@quayside/contract/account/endpoints'
import { appLinks } from '@quayside/contract/app-links/endpoints'
import { catalogSources } from '@quayside/contract/catalog/sources'
import { clientAdministration } from '@quayside/contract/clients/administration'
import { clusters } from '@quayside/contract/clusters/endpoints'
import { dashboards } from '@quayside/contract/dashboards/endpoints'
import { dashboardLibrary } from '@quayside/contract/dashboards/library'
import { groups } from '@quayside/contract/groups/endpoints'
import type { Endpoint } from '@quayside/contract/http/endpoint'
import { identityProviders } from '@quayside/contract/identity-providers/endpoints'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { personalTokens } from '@quayside/contract/personal-tokens/endpoints'
import { roles } from '@quayside/contract/roles/endpoints'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { credentials } from '@quayside/contract/users/credentials'
import { users } from '@quayside/contract/users/endpoints'
import { webhooks } from '@quayside/contract/webhooks/endpoints'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ProfileDialog } from '../../features/account/profile-dialog.tsx'
import { AppLinkDialog } from '../../features/app-links/app-link-dialog.tsx'
import { SourceDialog } from '../../features/catalog/sources/source-dialog.tsx'
import { ApplicationDialog } from '../../features/clients/application-dialog.tsx'
import { ConfigurationDialog } from '../../features/dashboards/configurations/configuration-dialog.tsx'
import { NewDashboardDialog } from '../../features/dashboards/new-dashboard-dialog.tsx'
import { EditGroupDialog, NewGroupDialog } from '../../features/groups/group-dialog.tsx'
import { MoveDialog } from '../../features/groups/move-dialog.tsx'
import { NewProviderDialog } from '../../features/identity-providers/new-provider-dialog.tsx'
import { SpaceRoleDialog } from '../../features/permissions/roles/space-role-dialog.tsx'
import { TokenDialog } from '../../features/personal-tokens/token-dialog.tsx'
import { ClientRoleDialog } from '../../features/roles/client-role-dialog.tsx'
import { RoleDialog } from '../../features/roles/role-dialog.tsx'
import { FreezeDialog } from '../../features/spaces/freeze/freeze-dialog.tsx'
import { SpaceDialog } from '../../features/spaces/space-dialog.tsx'
import { PasswordDialog } from '../../features/users/password-dialog.tsx'
import { UserDialog } from '../../features/users/user-dialog.tsx'
import { WebhookDialog } from '../../features/webhooks/webhook-dialog.tsx'
import { answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { aSpace, pageOf } from '../../testing/things.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

interface Dialog {
  dialog: ReactNode
  /** The button that sends it. */
  submit: string
  /** Texts that make it whole, by label. */
  typed: Readonly<Record<string, string>>
  save: Endpoint
  /** Labels of the fields, by the names under which the server refuses them. */
  fields: Readonly<Record<string, string>>
  /** Nothing has to be typed that is more than a blank. */
  takesBlanks?: boolean
  /** Further names under which it may refuse, which have no place of their own. */
  others?: readonly string[]
}

const nothing = () => undefined
const newRole = { role: undefined, onClose: nothing }
const crew = { id: 'g1', name: 'Crew', path: '/Crew', memberCount: 0, subGroups: [] }
const zoe = { id: 'u2', username: 'zoe', email: null, firstName: 'Zoe', lastName: null, enabled: true, createdAt: null }
const name = 'A good name'
const address = 'https://hooks.example.org/portal'
const password = 'Correct-horse-9-battery'

const dialogs: Readonly<Record<string, Dialog>> = {
  'New space': {
    dialog: <SpaceDialog onClose={nothing} onSaved={nothing} />,
    ...{ submit: 'Create space', typed: { Name: name }, save: spaces.createSpace },
    fields: { displayName: 'Name', description: 'Description' },
    others: ['clusterIds'],
  },
  'Freeze deployments': {
    dialog: <FreezeDialog space={aSpace()} exemptField={() => null} onClose={nothing} />,
    ...{ submit: 'Freeze', typed: { Reason: 'Holidays' }, save: spaces.freezeSpace },
    fields: { reason: 'Reason', until: 'Ends' },
    others: ['exempt'],
  },
  'New group': {
    dialog: <NewGroupDialog parent={undefined} onClose={nothing} onMade={nothing} />,
    ...{ submit: 'Create group', typed: { Name: name }, save: groups.createGroup },
    fields: { name: 'Name', description: 'Description' },
    others: ['attributes'],
  },
  'Edit a group': {
    dialog: <EditGroupDialog group={crew} onClose={nothing} />,
    ...{ submit: 'Save', typed: { Name: name }, save: groups.updateGroup },
    fields: { name: 'Name', description: 'Description' },
    others: ['attributes.ship'],
  },
  'New user': {
    dialog: <UserDialog onClose={nothing} />,
    ...{ submit: 'Create user', typed: { 'User name': 'zoe' }, save: users.createUser },
    fields: { username: 'User name', email: 'E-mail', firstName: 'First name', lastName: 'Last name' },
    others: ['groups', 'password.value'],
  },
  'Set a password': {
    dialog: <PasswordDialog user={zoe as never} onClose={nothing} />,
    ...{ submit: 'Set password', save: credentials.resetPassword },
    ...{ typed: { 'New password': password, 'Repeat the password': password }, takesBlanks: true },
    fields: { value: 'New password' },
    others: ['id'],
  },
  'Edit profile': {
    dialog: <ProfileDialog account={zoe as never} onClose={nothing} />,
    ...{ submit: 'Save', typed: { 'Last name': 'Kim' }, save: account.updateAccount, takesBlanks: true },
    fields: { firstName: 'First name', lastName: 'Last name' },
    others: ['email'],
  },
  'New app link': {
    dialog: <AppLinkDialog link={undefined} onClose={nothing} />,
    ...{ submit: 'Create app link', typed: { Name: name, Address: address }, save: appLinks.addAppLink },
    fields: { name: 'Name', url: 'Address', description: 'Description' },
    others: ['tags', 'color'],
  },
  'New personal token': {
    dialog: <TokenDialog longestDays={60} onClose={nothing} />,
    ...{ submit: 'Create', typed: { Name: name }, save: personalTokens.createToken },
    fields: { name: 'Name', days: 'Days until it expires' },
    others: ['readOnly', 'spaceIds'],
  },
  'Add webhook': {
    dialog: <WebhookDialog webhook={undefined} onClose={nothing} />,
    ...{ submit: 'Add webhook', typed: { Name: name, Address: address }, save: webhooks.addWebhook },
    fields: { name: 'Name', url: 'Address' },
    others: ['signing', 'secret', 'events', 'spaceIds', 'spaceIds.0', 'enabled'],
  },
  'Add source': {
    dialog: <SourceDialog source={undefined} onClose={nothing} onSaved={nothing} />,
    ...{ submit: 'Add source', typed: { Name: name, Address: 'https://charts.example.org' } },
    save: catalogSources.addSource,
    fields: { name: 'Name', address: 'Address', versions: 'Newest versions of each chart' },
    others: [
      'kind',
      'signIn',
      'username',
      'secret',
      'charts',
      'charts.0',
      'prereleases',
      'addsToUploads',
      'everyHours',
    ],
  },
  'New dashboard': {
    dialog: <NewDashboardDialog onClose={nothing} />,
    ...{ submit: 'Create dashboard', typed: { Name: name }, save: dashboards.createDashboard },
    fields: { displayName: 'Name' },
    others: ['description', 'tags', 'tags.0'],
  },
  'New configuration': {
    dialog: <ConfigurationDialog configuration={undefined} onClose={nothing} />,
    ...{ submit: 'Create configuration', typed: { Name: name }, save: dashboardLibrary.saveConfiguration },
    fields: { name: 'Name' },
    others: ['kind', 'value', 'spaceId'],
  },
  'New role of the realm': {
    dialog: <RoleDialog onClose={nothing} />,
    ...{ submit: 'Create role', typed: { Name: name }, save: roles.createRole },
    fields: { name: 'Name', description: 'Description' },
    others: ['id'],
  },
  'New role of a client': {
    dialog: <ClientRoleDialog client={{ id: 'c1', clientId: 'shop' }} {...newRole} />,
    ...{ submit: 'Create role', typed: { Name: name }, save: roles.createRole },
    fields: { name: 'Name', description: 'Description' },
    others: ['id'],
  },
  'New role in spaces': {
    dialog: <SpaceRoleDialog {...newRole} />,
    ...{ submit: 'Create role', typed: { Name: name }, save: permissions.createSpaceRole },
    fields: { name: 'Name', description: 'For' },
    others: ['scopes', 'scopes.0'],
  },
  'Register application': {
    dialog: <ApplicationDialog onClose={nothing} />,
    ...{ submit: 'Register', save: clientAdministration.createApplication },
    typed: { 'Client id': 'shop', Name: name, 'Addresses to come back to': 'https://shop.example.org/back' },
    fields: {
      ...{ clientId: 'Client id', name: 'Name', description: 'Description' },
      ...{ redirectUris: 'Addresses to come back to', webOrigins: 'Web origins' },
    },
    others: ['isPublic', 'redirectUris.0'],
  },
  'Add provider': {
    dialog: <NewProviderDialog redirectBase="https://id.example.org/" onClose={nothing} />,
    ...{ submit: 'Add', save: identityProviders.createIdentityProvider },
    typed: {
      Name: 'Harbour',
      Address: 'https://login.example.org',
      'Client id': 'quayside',
      'Client secret': password,
    },
    fields: { name: 'Name', id: 'Id', address: 'Address', clientId: 'Client id', clientSecret: 'Client secret' },
    others: ['trustEmail'],
  },
}

const labelled = (label: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}( \\*)?$`))

async function open({ dialog, save }: Dialog, refusal?: Refusal) {
  const calls = serving({
    ...answer(clusters.names, { data: [] } as never),
    ...answer(groups.getGroup, { ...crew, description: '', attributes: {} } as never),
    ...answer(spaces.listSpaces, pageOf()),
    [`${save.method} /`]: refusal ?? {},
  })
  drawInPortal(dialog, { more: { 'quayside-portal-ui-spaces': ['spaces.manage'] } })
  await screen.findByRole('dialog')
  return { sent: () => calls.filter(({ method }) => method !== 'GET') }
}

describe.each(Object.entries(dialogs))('%s', (_, one) => {
  const send = async () =>
    userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: one.submit }))
  const type = async () => {
    for (const [label, value] of Object.entries(one.typed))
      fireEvent.change(await labelled(label), { target: { value } })
  }

  it('sends nothing as long as something is missing', async () => {
    const { sent } = await open(one)
    for (const label of one.takesBlanks === true ? [] : Object.keys(one.typed)) {
      fireEvent.change(await labelled(label), { target: { value: '' } })
      await userEvent.type(await labelled(label), ' {Enter}')
    }
    await send()
    expect(sent()).toEqual([])
  })

  it.each([...Object.keys(one.fields), ...(one.others ?? [])])(
    'says once why %s is refused, at its field',
    async (field) => {
      const said = `${field} is refused`
      const { sent } = await open(one, Object.assign(new Refusal(400, said, 'request.invalid'), { field }))
      await type()
      await send()
      await waitFor(() => expect(sent()).toHaveLength(1))
      expect(await screen.findAllByText(said)).toHaveLength(1)
      const label = one.fields[field]
      if (label === undefined) return
      const place = (await labelled(label)).getAttribute('aria-describedby') ?? ''
      expect(place.split(' ').map((id) => document.getElementById(id)?.textContent)).toContain(said)
    },
  )
})

it('a group is moved once a place is chosen, and not before', async () => {
  const move: Dialog = {
    dialog: <MoveDialog group={crew} groups={[crew, { ...crew, id: 'g2', name: 'Guests' }]} onClose={nothing} />,
    ...{ submit: 'Move', typed: {}, save: groups.moveGroup, fields: {} },
  }
  const { sent } = await open(move)
  const button = screen.getByRole('button', { name: 'Move' })
  await userEvent.click(button)
  expect(button).toHaveProperty('disabled', true)
  expect(sent()).toEqual([])
})
