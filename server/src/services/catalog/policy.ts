import type { catalog } from '@quayside/contract/catalog'
import { type Policies, role } from '../../kernel/policy.ts'

const views = role('catalog-apps', 'catalog.view')
const publishes = role('catalog-apps', 'catalog.publish')

export const policies: Policies<typeof catalog> = {
  listItems: views,
  getItem: views,
  getItemByName: views,
  setFeatured: publishes,
  deleteItem: publishes,
  getVersion: views,
  versionsOfItem: views,
  versionsOfApp: views,
  listManufacturers: views,
  upload: publishes,
  repositoryIndex: views,
  repositoryChart: views,
}
