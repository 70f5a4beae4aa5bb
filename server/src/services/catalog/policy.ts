import type { catalog } from '@quayside/contract/catalog'
import { type Policies, role } from '../../kernel/policy.ts'

const views = role('catalog-apps', 'catalog.view')
// An upgrade looks at the versions of what is deployed.
const readsVersions = role('catalog-apps', 'catalog.view', {
  section: 'catalog-apps',
  role: 'catalog.deployments.manage',
})
const publishes = role('catalog-apps', 'catalog.publish')

export const policies: Policies<typeof catalog> = {
  listItems: views,
  getItem: views,
  getItemByName: views,
  setFeatured: publishes,
  deleteItem: publishes,
  getVersion: readsVersions,
  versionsOfItem: readsVersions,
  versionsOfApp: readsVersions,
  listManufacturers: views,
  upload: publishes,
  repositoryIndex: views,
  repositoryChart: views,
}
