import type { Topic } from '../live.ts'
import { filtered, holding, type Policy, role, signedIn, somewhere } from '../policy.ts'

/**
 * Whom the live connection tells of what. A note goes to those who see the thing that it names, asked again for each
 * note; following the events of a release (`register`) asks for `app.view` in the space of each action.
 */
export const topicPolicies: Record<Topic['topic'], Policy> = {
  app: filtered('app.view'),
  apps: filtered('app.view'),
  actions: filtered('app.view'),
  spaces: filtered('space.view'),
  requests: filtered('space.view'),
  approvals: filtered('app.view'),
  // Tells only that some cluster changed; which one is told to those who may see clusters.
  clusters: signedIn,
  cluster: holding(role('clusters', 'clusters.view')),
  catalog: somewhere(['app.manage'], role('catalog-apps', 'catalog.view')),
  // Only of the caller's own one.
  menu: signedIn,
}
