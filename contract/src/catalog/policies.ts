import { holding, type Policies, role, somewhere } from '../http/policy.ts'
import type { catalog } from './endpoints.ts'
import type { catalogSources } from './sources.ts'

const views = holding(role('catalog-apps', 'catalog.view'))
// An upgrade looks at the versions of what is deployed.
const readsVersions = somewhere(['app.manage'], role('catalog-apps', 'catalog.view'))
const publishes = holding(role('catalog-apps', 'catalog.publish'))

export const catalogPolicies: Policies<typeof catalog> = {
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

// A source says where a tenant signs in, and whoever adds one publishes what lies there.
export const catalogSourcePolicies: Policies<typeof catalogSources> = {
  listSources: publishes,
  getSource: publishes,
  testSource: publishes,
  addSource: publishes,
  changeSource: publishes,
  deleteSource: publishes,
  synchroniseSource: publishes,
  listSourceRuns: publishes,
  getSourceRun: publishes,
}
