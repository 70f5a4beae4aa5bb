import { holding, inPlace, type Policies, role, signedIn } from '../http/policy.ts'
import type { kubeconfigs } from './kubeconfigs.ts'

const ofSpace = inPlace('space', 'params.id', 'space.members')
const ofCluster = holding(role('clusters', 'clusters.edit'))

export const kubeconfigPolicies: Policies<typeof kubeconfigs> = {
  create: inPlace('space', 'body.places[].spaceId', 'app.view', {
    sometimesScopes: ['app.manage', 'app.secrets', 'space.members'],
  }),
  // Those of others do not exist for the caller.
  listMine: signedIn,
  endMine: signedIn,
  listOfSpace: ofSpace,
  endInSpace: ofSpace,
  listOfCluster: ofCluster,
  endOnCluster: ofCluster,
}
