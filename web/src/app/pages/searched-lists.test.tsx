import { appLinks } from '@quayside/contract/app-links/endpoints'
import { apps } from '@quayside/contract/apps/endpoints'
import { catalog } from '@quayside/contract/catalog/endpoints'
import { clusters } from '@quayside/contract/clusters/endpoints'
import type { Endpoint } from '@quayside/contract/http/endpoint'
import { pathOf } from '@quayside/contract/http/path'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { users } from '@quayside/contract/users/endpoints'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { AppLinkList } from '../../features/app-links/app-link-list.tsx'
import { AppsPage } from '../../features/apps/apps-page.tsx'
import { CatalogPage } from '../../features/catalog/catalog-page.tsx'
import { ClustersPage } from '../../features/clusters/clusters-page.tsx'
import { SpacesPage } from '../../features/spaces/spaces-page.tsx'
import { UsersPage } from '../../features/users/users-page.tsx'
import { drawInPortal, serving } from '../../testing/portal.tsx'
import { aCluster, anApp, anItem, aSpace, firstOf, pageOf } from '../../testing/things.ts'

const person = {
  id: 'ana',
  username: 'ana',
  email: null,
  firstName: null,
  lastName: null,
  enabled: true,
  createdAt: null,
}
const now = '2026-01-01T00:00:00.000Z'
const link = {
  ...{ id: 'wiki1', name: 'Wiki', url: 'https://wiki.example.org/', description: '', color: null, tags: [] },
  ...{ createdAt: now, createdBy: 'mara', updatedAt: now, updatedBy: 'mara' },
}

const lists: [string, Endpoint, object, ReactNode][] = [
  ['Apps', apps.listApps, anApp(), <AppsPage key="apps" />],
  ['App links', appLinks.listAppLinks, link, <AppLinkList key="links" />],
  ['Catalog', catalog.listItems, anItem(), <CatalogPage key="catalog" />],
  ['Clusters', clusters.list, aCluster(), <ClustersPage key="clusters" />],
  [
    'Spaces',
    spaces.listSpaces,
    aSpace(),
    <SpacesPage key="spaces" roles={null} requests={null} firstMembers={() => null} />,
  ],
  ['Users', users.findUsers, person, <UsersPage key="users" requests={null} />],
]

it.each(lists)('a search of %s begins at the first page, whatever page was open', async (_, list, row, page) => {
  const calls = serving({ 'GET /': pageOf(), 'POST /': pageOf(), [`GET ${pathOf(list)}?`]: firstOf(320, row) })
  const { router } = drawInPortal(page, { at: '/?skip=100' })
  await userEvent.type(await screen.findByRole('searchbox'), 'zz')
  const asked = () => calls.map(({ path }) => path).findLast((path) => path.startsWith(`${pathOf(list)}?`))
  await waitFor(() => expect(asked()).toContain('search=zz'))
  expect(asked()).not.toContain('page.skip=100')
  expect(router.state.location.search).not.toHaveProperty('skip')
})
