import { holding, role, somewhere } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const catalogTopics = {
  catalog: { policy: somewhere(['app.manage'], role('catalog-apps', 'catalog.view')) },
  'catalog-sources': { policy: holding(role('catalog-apps', 'catalog.publish')) },
} satisfies Topics
